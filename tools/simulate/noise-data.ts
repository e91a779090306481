import fc from 'fast-check'

/** What a maker of noise can know: the records and the buttons that were shown. */
export type Seen = {
  /** The short ids of their own records, and of other people's. */
  own: readonly string[]
  others: readonly string[]
  /** Every button that was shown in their chat, and in other chats. */
  ownButtons: readonly string[]
  othersButtons: readonly string[]
  /** Invitations that other people have already begun. */
  taken: readonly string[]
  /** Their own invitation. */
  invitation: string | undefined
}

type OfSeen<T> = (seen: Seen) => T

const BIG = [-1, 0, 1, 2, 3, 9, 30, 255, 256, 99_999, 2 ** 31, 2 ** 53]
const number = fc.oneof(fc.nat(12), fc.constantFrom(...BIG)).map(String)
const word = fc.oneof(fc.constantFrom('', 'x', '__proto__', 'constructor', 'NaN', '۲', 'true'), number)
const revision = fc.oneof(
  fc.nat(40).map((each) => each.toString(36)),
  fc.constantFrom('', '-1', 'zzzzzzzz', '0x1'),
)

const pick = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)]

const id: fc.Arbitrary<OfSeen<string>> = fc
  .tuple(fc.constantFrom('own', 'others', 'nobody'), fc.nat(), word)
  .map(
    ([whose, place, other]) =>
      (seen: Seen) =>
        (whose === 'nobody' ? undefined : pick(seen[whose], place)) ?? `nowhere${other}`,
  )

const VERBS = [
  ...['begin', 'pause', 'submit', 'retry', 'open', 'ready', 'generate', 'refresh', 'result'],
  ...['review', 'go', 'hand', 'unhand', 'send', 'release', 'extid'],
]
const PLAIN = [
  ...['birth:ok', 'birth:other', 'birth:x:y', 'birth:pick:99', 'birth:j:0:0:0', 'birth:j:9999:99:99'],
  ...[
    'gender:male',
    'gender:female',
    'gender:x',
    'guardian:yes',
    'guardian:no',
    'guardian:link',
    'guardian:maybe',
    'agree:abcdefghij27:yes',
  ],
  ...['name:ok', 'mobile:ok', 'profile:ok', 'profile:keep', 'profile:edit:name', 'profile:edit:birth'],
  ...['profile:edit:mobile:31', 'profile:edit:shoe:9', 'sms:again', 'sms:mobile', 'sms:now'],
  ...['remind:off', 'lang:fa', 'lang:en', 'lang:de', 'forget:yes', 'forget:no', 'forget:maybe'],
  ...['list:x:1', 'filter:x:kind:any', 'card:r:x', 'invite:m:x', 'qr:x', 'expire:x:0', 'to:x:both'],
  ...['revoke:x', 'notice:trouble:off', 'drop:0', 'export', 'audit', '', ':', '::::', '__proto__:x'],
]

/** Callback data: every verb with arguments of all kinds, data of shown buttons, and arbitrary text. */
export const callbackData: fc.Arbitrary<OfSeen<string>> = fc.oneof(
  { weight: 5, arbitrary: answerTap() },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...VERBS), id, fc.array(word, { maxLength: 2 })).map(
      ([verb, of, more]) =>
        (seen: Seen) =>
          [verb, of(seen), ...more].join(':'),
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(...PLAIN).map((data) => () => data) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.boolean(), fc.nat()).map(
      ([isOwn, place]) =>
        (seen: Seen) =>
          pick(isOwn ? seen.ownButtons : seen.othersButtons, place) ?? 'a',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 64 }).map((data) => () => data) },
)

function answerTap(): fc.Arbitrary<OfSeen<string>> {
  return fc.tuple(id, number, number, revision).map(
    ([of, question, option, r]) =>
      (seen: Seen) =>
        `a:${of(seen)}:${question}:${option}:${r}`,
  )
}

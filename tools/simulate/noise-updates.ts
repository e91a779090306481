import fc from 'fast-check'
import { callbackData, type Seen } from './noise-data.ts'

/** Part of every generated text, to find texts that leak into the log or the store. */
export const MARK = 'رازنهان'
/** The beginning of every shared phone number. */
export const PHONE = '98935000'

/** The sender of noise: a participant with a test under way, or a person who only makes noise. */
export type Maker = { id: number; firstName: string; isUnderWay: boolean; seen: Seen; newestId: number }

type Body = Record<string, unknown>
/** One update of any kind, made for its sender; whether it comes twice, and how it is damaged. */
export type Noise = {
  kind: string
  body: (maker: Maker, date: number) => unknown
  isDoubled: boolean
  damage: { steps: number[]; value: unknown } | undefined
}

const userOf = ({ id, firstName }: Maker): Body => ({
  id,
  is_bot: false,
  first_name: firstName,
  language_code: 'fa',
})
const chatOf = ({ id, firstName }: Maker): Body => ({ id, type: 'private', first_name: firstName })

const SCRIPTS = [
  'ابپتچهٔيكةۀ',
  'אבגד',
  'абвг',
  'αβγ',
  '漢字かな',
  'हिन्दी',
  'ไทย',
  '\u200c\u200f\u202e\u0000',
  'áß',
  '👩‍👩‍👧🏽',
]
const ofScripts = fc.string({
  unit: fc.constantFrom(...SCRIPTS.flatMap((script) => [...script])),
  maxLength: 80,
})
const HTML = ['<b>', '</b><a href="x">&amp;&#0;<script>', '{"a":1}', "' OR 1=1 --", '%00', '\\u0000', '{x}']
const marked = fc
  .oneof(
    ofScripts,
    fc.constantFrom(...HTML),
    fc.constant('ن'.repeat(4_000)),
    fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\p{N}/gu, 'ن')),
  )
  .map((text) => () => `${MARK} ${text}`)
const COMMANDS = [
  '/start',
  '/tests',
  '/help',
  '/privacy',
  '/cancel',
  '/language',
  '/records',
  '/invite x',
  '/status',
]
const command = fc
  .constantFrom(...COMMANDS, '/x', '/', '/start@other_bot', '/start i_abcdefgh2345', '/notices')
  .map((text) => () => text)
/** A link of another participant, of the sender, or of no person. */
const link = fc
  .tuple(fc.constantFrom('taken', 'own', 'nobody'), fc.uuid(), fc.constantFrom('record', 'roadmap'), fc.nat())
  .map(([whose, uuid, kind, place]) => ({ seen }: Maker) => {
    const { taken, invitation } = seen
    const known = whose === 'taken' ? taken[place % Math.max(1, taken.length)] : invitation
    return `/start ${whose === 'nobody' || !known ? `${kind}_${uuid}` : known}`
  })
/** Texts that a test under way would accept as an answer. */
const answers = fc
  .constantFrom(
    '1',
    '۲',
    '٣',
    'دو',
    'گزینه دو',
    'همیشه',
    '1375/5/12',
    '12 مرداد 75',
    '09121112233',
    '73519',
    '/forget',
  )
  .map((text) => () => text)

const text = fc.oneof(
  { weight: 4, arbitrary: marked },
  { weight: 2, arbitrary: command },
  { weight: 1, arbitrary: link },
)
const FILES: Body[] = [
  { sticker: { file_id: 'f', file_unique_id: 'u', type: 'regular', width: 1, height: 1 } },
  {
    document: {
      file_id: 'f',
      file_unique_id: 'u',
      file_name: `${MARK}.csv`,
      mime_type: 'text/csv',
      file_size: 9,
    },
  },
  { document: { file_id: 'f', file_unique_id: 'u' }, caption: `/invite ${MARK}` },
  { photo: [{ file_id: 'f', file_unique_id: 'u', width: 1, height: 1 }], caption: MARK },
  { photo: [] },
  { voice: { file_id: 'f', file_unique_id: 'u', duration: 1 } },
  { location: { latitude: 35.7, longitude: 51.4 } },
  { dice: { emoji: '🎲', value: 3 } },
  { poll: { id: 'p', question: MARK, options: [] } },
  { pinned_message: {} },
  { new_chat_title: MARK },
  { successful_payment: {} },
  {},
]
const contact = fc.tuple(fc.nat(999), fc.option(fc.nat())).map(([number, user]) => ({
  contact: { phone_number: `${PHONE}${number}`, first_name: MARK, user_id: user },
}))
const content: fc.Arbitrary<(maker: Maker) => Body> = fc.oneof(
  { weight: 6, arbitrary: text.map((make) => (maker: Maker) => ({ text: make(maker) })) },
  {
    weight: 2,
    arbitrary: answers.map((make) => (maker: Maker) => ({ text: maker.isUnderWay ? MARK : make() })),
  },
  { weight: 2, arbitrary: fc.constantFrom(...FILES).map((file) => () => file) },
  { weight: 1, arbitrary: contact.map((card) => () => card) },
)

const message = fc.tuple(content, fc.nat(500)).map(
  ([make, ahead]) =>
    (maker: Maker, date: number): Body => ({
      message_id: maker.newestId + 1_000 + ahead,
      from: userOf(maker),
      chat: chatOf(maker),
      date,
      ...make(maker),
    }),
)
const tap = fc.tuple(callbackData, fc.uuid(), fc.nat(30), fc.nat(9)).map(([data, query, back, shape]) => {
  return (maker: Maker, date: number): Body => {
    const placed = { message_id: Math.max(1, maker.newestId - (shape < 5 ? 0 : back)), chat: chatOf(maker) }
    const where = [{ inline_message_id: 'inline' }, { message: { ...placed, date: 0 } }][shape]
    const from = userOf(maker)
    return {
      id: query,
      from,
      chat_instance: '1',
      data: data(maker.seen),
      ...(where ?? { message: { ...placed, date } }),
    }
  }
})
const elsewhere = fc
  .tuple(message, fc.constantFrom('group', 'supergroup', 'channel'), fc.integer({ min: -1e12, max: -1 }))
  .map(
    ([make, type, id]) =>
      (maker: Maker, date: number): Body => ({
        ...make(maker, date),
        chat: { id, type, title: MARK },
      }),
  )
const member = fc
  .constantFrom('member', 'kicked', 'left')
  .map((status) => (maker: Maker, date: number): Body => {
    const user = { id: 1, is_bot: true, first_name: 'porsa' }
    const change = { old_chat_member: { user, status: 'member' }, new_chat_member: { user, status } }
    return { chat: chatOf(maker), from: userOf(maker), date, ...change }
  })
const inline = fc.tuple(fc.uuid(), marked).map(([id, query]) => (maker: Maker): Body => {
  return { id, from: userOf(maker), query: query(), offset: '' }
})
const anything = fc.jsonValue({ maxDepth: 4 }).map((value) => () => value)
const OTHER_KINDS = [
  ...[
    'edited_channel_post',
    'chosen_inline_result',
    'chat_member',
    'chat_join_request',
    'poll',
    'poll_answer',
  ],
  ...[
    'message_reaction',
    'business_message',
    'pre_checkout_query',
    'purchased_paid_media',
    'not_yet_known',
    '',
  ],
]

const ofKind = (kind: string, body: fc.Arbitrary<Noise['body']>) => body.map((make) => ({ kind, body: make }))
const kinds = fc.oneof(
  { weight: 30, arbitrary: ofKind('message', message) },
  { weight: 40, arbitrary: ofKind('callback_query', tap) },
  { weight: 6, arbitrary: ofKind('edited_message', message) },
  { weight: 4, arbitrary: ofKind('message', elsewhere) },
  { weight: 2, arbitrary: ofKind('channel_post', elsewhere) },
  { weight: 2, arbitrary: ofKind('my_chat_member', member) },
  { weight: 2, arbitrary: ofKind('inline_query', inline) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...OTHER_KINDS).chain((kind) => ofKind(kind, fc.oneof(message, anything))),
  },
)

const damage = fc.record({
  steps: fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }),
  value: fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, -0, 1e300, [], {}, [[[[[]]]]], '')),
})

/** Updates of all kinds: valid, half valid, forged, with wrong types, without a sender. */
export const noise: fc.Arbitrary<Noise> = fc
  .tuple(kinds, fc.nat(9), fc.option(damage, { freq: 5 }))
  .map(([update, doubled, harm]) => ({ ...update, isDoubled: doubled === 0, damage: harm ?? undefined }))

/** Replaces the value at the path that these steps give. */
export function harmed(body: unknown, steps: readonly number[], value: unknown): unknown {
  const [step = 0, ...further] = steps
  if (typeof body !== 'object' || body === null) return value
  const keys = Object.keys(body)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return value
  const inner: unknown = Reflect.get(body, key)
  const grown = further.length > 0 ? harmed(inner, further, value) : value
  return Array.isArray(body) ? body.with(Number(key), grown) : { ...body, [key]: grown }
}

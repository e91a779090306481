import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePicker } from '../../src/domain/persian/picker.ts'
import { buttons, DIALOG_BUTTON, organizerButtons, type Verb } from '../../src/views/buttons.ts'

const S = 'k3_-Zq8xW0aB1cD2'
/** The largest role id that a button carries. */
const LARGEST = 999_999_999_999_999
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'

type Reader = Pick<Verb<readonly unknown[]>, 'name' | 'pattern' | 'read'>

/** One button: the expected data, its verb, and the packed arguments. */
function packs<A extends readonly unknown[]>(data: string, verb: Verb<A>, ...args: A) {
  const reader: Reader = verb
  return { data, verb: reader, args: [...args], packed: verb.data(...args) }
}

const table = [
  packs(`begin:${S}`, buttons.begin, S),
  packs(`refresh:${S}`, buttons.refresh, S),
  packs('birth:open', buttons.birth, 'open'),
  packs('birth:ok', buttons.birth, 'ok'),
  packs('birth:other', buttons.birth, 'other'),
  packs('birth:pick:1', buttons.birthPick, 1),
  packs('gender:male', buttons.gender, 'male'),
  packs('gender:female', buttons.gender, 'female'),
  packs('name:ok', buttons.name, 'ok'),
  packs('guardian:yes', buttons.guardian, 'yes'),
  packs('guardian:no', buttons.guardian, 'no'),
  packs('guardian:link', buttons.guardian, 'link'),
  packs('agree:abcdefghij27:yes', buttons.agree, 'abcdefghij27', 'yes'),
  packs('mobile:ok', buttons.mobile, 'ok'),
  packs('profile:ok', buttons.profile, 'ok'),
  packs('profile:same', buttons.profile, 'same'),
  packs(`me:${S}:3`, buttons.me, S, 3),
  packs(`recall:${S}`, buttons.recall, S),
  packs(`auto:${S}:off`, buttons.auto, S, 'off'),
  packs('large:on', buttons.large, 'on'),
  packs('hour:21', buttons.hour, 21),
  packs('profile:keep', buttons.profile, 'keep'),
  packs('profile:edit:name', buttons.profileEdit, 'name', undefined),
  packs('profile:edit:birth', buttons.profileEdit, 'birth', undefined),
  packs('profile:edit:gender', buttons.profileEdit, 'gender', undefined),
  packs('profile:edit:mobile', buttons.profileEdit, 'mobile', undefined),
  packs('profile:edit:birth:999999999999999', buttons.profileEdit, 'birth', LARGEST),
  packs('profile:edit:0', buttons.profileEditPerson, 0),
  packs('sms:again', buttons.sms, 'again'),
  packs('sms:mobile', buttons.sms, 'mobile'),
  packs(`a:${S}:0:0:0`, buttons.answer, S, 0, 0, 0),
  packs(`a:${S}:566:3:fr`, buttons.answer, S, 566, 3, 567),
  packs(`a:${S}:99999:999:zzzzzzz`, buttons.answer, S, 99_999, 999, 36 ** 7 - 1),
  packs(`go:${S}:99999`, buttons.go, S, 99_999),
  packs(`review:${S}:56`, buttons.review, S, 56),
  packs(`pause:${S}`, buttons.pause, S),
  packs(`submit:${S}`, buttons.submit, S),
  packs(`retry:${S}`, buttons.retry, S),
  packs(`open:${S}`, buttons.open, S),
  packs(`tests:${S}:all`, buttons.tests, S, 'all'),
  packs(`tests:${S}:next`, buttons.tests, S, 'next'),
  packs('tests:page:11', buttons.testsPage, 11),
  packs(`ready:${S}`, buttons.ready, S),
  packs(`decline:${S}`, buttons.decline, S),
  packs(`hand:${S}:12`, buttons.hand, S, 12),
  packs(`unhand:${S}:12`, buttons.unhand, S, 12),
  packs(`generate:${S}`, buttons.generate, S),
  packs(`result:${S}`, buttons.result, S),
  packs(`ask:${S}`, buttons.ask, S),
  packs(`extid:${S}:drop`, buttons.extid, S, 'drop'),
  packs(`extid:${S}:new`, buttons.extid, S, 'new'),
  packs('remind:off', buttons.remind, 'off'),
  packs('lang:fa', buttons.lang, 'fa'),
  packs('lang:en', buttons.lang, 'en'),
  packs('forget:yes', buttons.forget, 'yes'),
  packs('forget:no', buttons.forget, 'no'),
  packs(`list:${S}:99999`, buttons.list, S, 99_999),
  packs(`relist:${S}`, buttons.relist, S),
  packs(`filters:${S}`, buttons.filters, S, undefined),
  packs(`filters:${S}:2`, buttons.filters, S, 2),
  packs(`filter:${S}:finished:true`, buttons.filter, S, 'finished', 'true'),
  packs(`filter:${S}:male:any`, buttons.filter, S, 'male', 'any'),
  packs(`filter:${S}:kind:12`, buttons.filterKind, S, 'kind', '12'),
  packs(`filter:${S}:kind:any`, buttons.filterKind, S, 'kind', 'any'),
  packs(`filter:${S}:group:${S}`, buttons.filterGroup, S, 'group', S),
  packs(`card:r:${UUID}`, buttons.card, { kind: 'record', token: UUID }, undefined),
  packs(`card:m:${UUID}:2`, buttons.card, { kind: 'roadmap', token: UUID }, 2),
  packs(`invite:r:${UUID}`, buttons.invite, { kind: 'record', token: UUID }, undefined),
  packs(`invite:m:${UUID}:999999999999999`, buttons.invite, { kind: 'roadmap', token: UUID }, LARGEST),
  packs('made:abcdefgh2345', buttons.made, 'abcdefgh2345'),
  packs('qr:abcdefgh2345', buttons.qr, 'abcdefgh2345'),
  packs('expire:abcdefgh2345:30', buttons.expire, 'abcdefgh2345', 30),
  packs('expire:abcdefgh2345:0', buttons.expire, 'abcdefgh2345', 0),
  packs('to:abcdefgh2345:organizer', buttons.to, 'abcdefgh2345', 'organizer'),
  packs('revoke:abcdefgh2345', buttons.revoke, 'abcdefgh2345'),
  packs(`release:${S}`, buttons.release, S, undefined),
  packs(`release:${S}:same`, buttons.release, S, 'same'),
  packs(`release:${S}:other`, buttons.release, S, 'other'),
  packs(`send:${S}`, buttons.send, S),
  packs('home', buttons.home, undefined),
  packs('home:more', buttons.home, 'more'),
  packs('stage:stuck:1', buttons.stage, 'stuck', 1),
  packs('stage:owed:99999', buttons.stage, 'owed', 99_999),
  packs(`nudge:m:${UUID}`, buttons.nudge, { kind: 'roadmap', token: UUID }),
  packs(`send:m:${UUID}`, buttons.sendTarget, { kind: 'roadmap', token: UUID }),
  packs('notice:finished:on', buttons.notice, 'finished', 'on'),
  packs('notice:trouble:off', buttons.notice, 'trouble', 'off'),
  packs('drop:0', buttons.drop, 0),
  packs('export', buttons.export),
  packs(`asked:${S}`, buttons.asked, S),
  packs('questions', buttons.questions),
  packs('groups:2', buttons.groups, 2),
  packs(`group:${S}:3`, buttons.group, S, 3),
  packs(`group:${S}:name`, buttons.groupName, S, 'name'),
  packs(`nudgeall:${S}`, buttons.groupNudge, S, undefined),
  packs(`nudgeall:${S}:yes`, buttons.groupNudge, S, 'yes'),
  packs(`results:${S}:all`, buttons.groupResults, S, 'all'),
  packs('results', buttons.results),
  packs('results:2', buttons.resultsOf, 2),
  packs('audit', buttons.audit),
]

const verbs: Reader[] = Object.values(buttons)
const readersOf = (data: string) => verbs.filter((verb) => verb.read(data) !== undefined)

describe('every button packs and reads its own data', () => {
  test.each(table)('$data', ({ data, verb, args, packed }) => {
    expect(packed).toBe(data)
    expect(verb.read(data)).toEqual(args)
    expect(verb.pattern.exec(data)).not.toBeNull()
    expect(data).toMatch(/^[\x21-\x7e]{1,64}$/)
    expect(readersOf(data)).toEqual([verb])
  })
})

test('the table has every verb', () => {
  expect(new Set(table.map(({ verb }) => verb))).toEqual(new Set(verbs))
})

test('the words in buttons of sent messages keep their meaning', () => {
  const words = verbs.map(({ name }) => name.split(':')[0] ?? '')
  expect([...new Set(words)].sort()).toEqual(
    (
      'a agree ask asked audit auto begin birth card decline drop expire export extid filter filters ' +
      'forget gender generate go group groups guardian hand home hour invite lang large list made me ' +
      'mobile name notice nudge nudgeall open pause profile qr questions ready recall refresh release ' +
      'relist remind result results retry review revoke send sms stage submit tests to unhand'
    ).split(' '),
  )
})

test.each([
  '',
  'begin',
  'begin:',
  'begin:seventeen-letters',
  'begin:a.b',
  'begin:سلام',
  ' begin:abc',
  'begin:abc\n',
  'BEGIN:abc',
  'begin:abc:1',
  'a:abc:1:1',
  'a:abc:100000:1:1',
  'a:abc:1:1000:1',
  'a:abc:1:1:zzzzzzzz',
  'a:abc:1:1:Z',
  'a:abc:-1:1:1',
  'a:abc:1.5:1:1',
  'a:abc:۱:1:1',
  'go:abc',
  'review:abc:1000',
  'hand:abc:1234567890123456',
  'birth:pick:10',
  'birth:pick',
  'birth:nop',
  'gender:both',
  'profile:edit',
  'profile:edit:address',
  'profile:edit:name:name',
  'profile:edit:1234567890123456',
  'profile:edit:12:name',
  'extid:abc:keep',
  'lang:xx',
  'sms:again:again',
  'forget:yes:no',
  'constructor:abc',
])('no verb reads %j', (data) => {
  expect(readersOf(data)).toEqual([])
})

test.each([
  'birth:nop',
  'birth:j:137',
  'birth:j:1375',
  'birth:j:1375:5',
  'birth:j:1375:5:12',
  'birth:g:1996:8:2',
])("the calendar's own %s is left to the calendar", (data) => {
  expect(readersOf(data)).toEqual([])
  expect(DIALOG_BUTTON.test(data)).toBe(true)
})

test('the button that opens the calendar is read by the calendar', () => {
  expect(parsePicker(buttons.birth.data('open'))).toEqual({ kind: 'decades' })
  expect(parsePicker(buttons.birth.data('ok'))).toBeUndefined()
  expect(parsePicker(buttons.birthPick.data(1))).toBeUndefined()
})

test('buttons of the dialog are those without an S that belong to a step', () => {
  const outside = [
    'remind',
    'lang',
    'large',
    'hour',
    'forget',
    'tests:page',
    'agree',
    ...Object.values(organizerButtons).map(({ name }) => name),
  ]
  for (const { data, verb } of table)
    expect([data, DIALOG_BUTTON.test(data)]).toEqual([
      data,
      !data.includes(S) && !outside.includes(verb.name),
    ])
})

describe('packed data is read back unchanged', () => {
  const s = fc.stringMatching(/^[\w-]{1,16}$/)
  const role = fc.nat({ max: LARGEST })

  function comesBack<A extends readonly unknown[]>(verb: Verb<A>, args: fc.Arbitrary<A>) {
    fc.assert(
      fc.property(args, (values) => {
        const data = verb.data(...values)
        return data.length <= 64 && isDeepStrictEqual(verb.read(data), values)
      }),
    )
  }

  test('an answer', () => {
    comesBack(buttons.answer, fc.tuple(s, fc.nat(99_999), fc.nat(999), fc.nat(36 ** 7 - 1)))
  })

  test('a question and a page of the review', () => {
    comesBack(buttons.go, fc.tuple(s, fc.nat(99_999)))
    comesBack(buttons.review, fc.tuple(s, fc.nat(999)))
  })

  test('a role', () => {
    comesBack(buttons.hand, fc.tuple(s, role))
    comesBack(buttons.unhand, fc.tuple(s, role))
    const field = fc.constantFrom('name' as const, 'birth' as const, 'gender' as const, 'mobile' as const)
    comesBack(buttons.profileEdit, fc.tuple(field, fc.option(role, { nil: undefined })))
    comesBack(buttons.profileEditPerson, fc.tuple(role))
  })

  test('a record or roadmap', () => {
    const { begin, refresh, open, retry, pause, submit, result, ready, generate } = buttons
    for (const verb of [begin, refresh, open, retry, pause, submit, result, ready, generate])
      comesBack(verb, fc.tuple(s))
    comesBack(buttons.extid, fc.tuple(s, fc.constantFrom('drop' as const, 'new' as const)))
  })
})

test('forged data is read by at most one verb', () => {
  const words = fc.constantFrom(...verbs.map(({ name }) => name))
  const argument = fc.oneof(fc.string({ maxLength: 17 }), fc.stringMatching(/^[0-9a-z]{0,10}$/), words)
  const forged = fc.tuple(words, fc.array(argument, { maxLength: 5 })).map((all) => all.flat().join(':'))
  fc.assert(fc.property(forged, (data) => readersOf(data).length <= 1))
})

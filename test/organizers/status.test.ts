import { expect } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { tehranToday } from '../../src/domain/persian/calendar.ts'
import { BOARD_STAGES, type BoardStage } from '../../src/domain/record/standing.ts'
import { finishesElsewhere } from '../dialogs/second-writer.ts'
import { type Office, onBothStores, story, word } from './office.ts'

/** The stages of the newest board with their counts, without empty ones. */
function board({ heard }: Office): Partial<Record<BoardStage, number>> {
  const counts = BOARD_STAGES.flatMap((stage) => {
    const label = word(`board-stage.${stage}`)
    const line = heard.split('\n').find((each) => each.startsWith(`• ${label}: `))
    const count = Number(
      line?.slice(`• ${label}: `.length).replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0)),
    )
    return count > 0 ? [[stage, count]] : []
  })
  return Object.fromEntries(counts)
}

const pictures = ({ person }: Office) => person.messages.filter(({ photo }) => photo)

story('a test that went on elsewhere is never called finished here', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const { sandbox } = office.world
  const [registered, finished] = [office.addRecord(), office.addRecord()]
  const sara = office.join(registered)
  await sara.walksTo('summary')
  const other = { name: 'مریم کریمی', birth: '1990-01-01', is_male: false, mobile: '09351112233' }
  expect(sandbox.register(registered, other)).toBe(true)
  await sara.taps('profile:ok')
  const ali = office.join(finished, 'علی')
  await ali.walksTo('review')
  await finishesElsewhere({ world: office.world, token: finished })
  await ali.taps(/^submit:/)
  for (const [account, token, stage] of [
    [sara, registered, 'registered-elsewhere'],
    [ali, finished, 'elsewhere'],
  ] as const) {
    await account.says('/tests')
    expect(account.heard).toContain(word(`stage-${stage}`))
    await office.says(`/records ${token}`)
    expect(office.heard).toContain(word('card-stage', { state: word(`stage-${stage}`) }))
    await office.says('/status')
    await office.taps('export')
    expect(office.file('.csv')).toContain(`,${stage},`)
  }
})

onBothStores(
  'the board counts the stages, a table lists the begun tests, and the audit lists the acts',
  async ({ work }) => {
    const office = await work({ sandbox: { testsAuthRequired: false } })
    await office.says('/status')
    expect(office.heard).toContain(word('status-none'))
    expect(pictures(office)).toEqual([])

    const [opened, begun, answering] = Array.from({ length: 3 }, () => office.addRecord())
    const [stuck, done] = [office.addRecordOfSomebody(), office.addRecordOfSomebody()]
    await office.join(opened ?? '').opens()
    const away = office.join(stuck)
    await away.opens()
    await away.walksTo('question')
    await office.invites(opened ?? '')
    office.world.pass(DAY_MS + 1)
    await office.join(begun ?? '').walksTo('name')
    const sara = office.join(answering ?? '')
    await sara.walksTo('question')
    await sara.answers(2)
    const ali = office.join(done, 'علی')
    await ali.walksTo('review')
    await ali.taps(/^submit:/)

    await office.says('/status')
    expect(board(office)).toEqual({ opened: 1, profile: 1, answering: 1, stuck: 1, delivered: 1 })
    expect(office.heard).toContain(word('status-calls', { used: 0, limit: 3_000 }).split(':')[0])
    expect(pictures(office)).toHaveLength(1)

    await office.taps('drop:0')
    expect(pictures(office)).toHaveLength(2)
    expect(pictures(office).at(-1)?.caption).toContain(
      word('drop-caption', { title: 'حال این دو هفته (نمونه)', begun: 3, finished: 1 }),
    )

    await office.says('/status')
    await office.taps('export')
    const text = office.file('.csv')
    const [head, ...rows] = text.trimEnd().split('\r\n')
    expect(head).toBe('\uFEFFtoken,kind,title,stage,question,questions,begun,active,finished,external_id')
    expect(
      rows.map((row) => row.split(',')).map(([token, kind, , stage, at]) => [token, kind, stage, at]),
    ).toEqual(
      expect.arrayContaining([
        [begun, 'record', 'profile', ''],
        [answering, 'record', 'answering', '2'],
        [stuck, 'record', 'stuck', '1'],
        [done, 'record', 'delivered', '7'],
      ]),
    )
    expect(rows).toHaveLength(4)
    expect(text).not.toMatch(/زهرا|0912|علی/)

    await office.says('/status')
    await office.taps('audit')
    expect(office.heard).toContain(word('act.export'))
    expect(office.heard).toContain(opened)
    expect(office.heard).toContain(String(office.person.id))
  },
)

story('a begun test has its row for a year, even when nothing else of it is kept', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false }, environment: { RETENTION_DAYS: '5' } })
  const [left, forgotten, released] = [office.addRecord(), office.addRecord(), office.addRecord()]
  const [sara, reza, ali] = [left, forgotten, released].map((token) => office.join(token))
  for (const each of [sara, reza, ali]) {
    await each?.opens()
    await each?.taps(/^begin:/)
  }
  await reza?.forgets()
  await office.says(`/records ${released}`)
  await office.taps(/^release:/)
  await office.taps(/:other$/)
  office.world.pass(20 * DAY_MS)
  const rows = async () => {
    await office.says('/status')
    await office.taps('export')
    return office.file('.csv').trimEnd().split('\r\n').slice(1)
  }
  expect(await rows()).toEqual([
    expect.stringMatching(new RegExp(`^${left},record,حال این دو هفته \\(نمونه\\),stuck,,,2\\S+Z,,,$`)),
  ])
  await office.says('/status')
  expect(board(office)).toEqual({ stuck: 1 })
  office.world.pass(400 * DAY_MS)
  expect(await rows()).toEqual([])
})

story('a test of the board that nobody has any more is drawn empty', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  const sara = office.join(office.addRecord())
  await sara.opens()
  await sara.walksTo('question')
  await sara.forgets()
  await office.says('/status')
  await office.taps('drop:0')
  const none = { title: 'حال این دو هفته (نمونه)', begun: 0, finished: 0 }
  expect(pictures(office).at(-1)?.caption).toBe(word('drop-caption', none))
})

story('files have the date of Tehran, also in the first hours of the night', async ({ work }) => {
  const office = await work({ sandbox: { testsAuthRequired: false } })
  office.world.pass(DAY_MS + 21 * HOUR_MS - (office.world.now() % DAY_MS))
  await office.says(`/invite ${office.addRecord()}\n${office.addRecord()}`)
  await office.says('/status')
  await office.taps('export')
  await office.says('/status')
  await office.taps('results')
  const names = office.fromBot().flatMap(({ document }) => document?.file_name ?? [])
  const day = tehranToday(office.world.now())
  expect(names.map((name) => name.replace(day, 'today')).sort()).toEqual([
    'invitations-today.csv',
    'invitations-today.html',
    'results-today.csv',
    'status-today.csv',
  ])
})

story('the card of a participant without a profile shows the typed name', async ({ work }) => {
  const office = await work()
  const token = office.addRecord()
  const sara = office.join(token)
  await sara.walksTo('birth')
  await office.forges(`card:r:${token}`)
  expect(office.heard).toContain(word('card-person', { name: 'زهرا' }))
})

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { ATTEMPT_STATES, attemptLayout } from '../../src/domain/attempt-layout.ts'
import { questionnaires, recordFiles } from '../../src/storage/documents/kinds.ts'
import { questionsId, readQuestions } from '../../src/storage/documents/questions.ts'
import { documentKey, openDocument, readDocument, sealDocument } from '../../src/storage/documents.ts'
import { withStorage } from '../kept-entries.ts'
import { type Office, ORGANIZED, organizerOf, shortIdOf } from '../organizers/office.ts'
import { shortTest } from './short-tests.ts'
import { another, createParticipant, type Participant, story, withAnother, word } from './walk.ts'

/** Two people with a test each, and so many answers. */
async function two(sara: Participant, answers: number[]) {
  const token = sara.world.sandbox.addRecord({ testId: 'mood-7', authRequired: false })
  const reza = createParticipant(sara.world, another(sara).person, token)
  await reza.walksTo('question')
  await sara.answers(...answers)
  await reza.answers(...answers.map(() => 3))
  return reza
}

type Row = { key: string; value: Uint8Array }
type Database = { rows(prefix: string): Row[]; write(key: string, value: Uint8Array): void }

/** What somebody with write access to the store does while the bot does not run. */
async function tampers({ world }: Participant, change: (database: Database) => void): Promise<void> {
  await world.stop()
  const database = new DatabaseSync(join(world.env.DATA_DIR ?? '', 'porsa.db'))
  const find = database.prepare("SELECT key, value FROM entry WHERE key LIKE ? || ':%' ORDER BY key")
  const write = database.prepare('UPDATE entry SET value = ? WHERE key = ?')
  change({
    rows: (prefix) => find.all(prefix) as Row[],
    write: (key, value) => void write.run(value, key),
  })
  database.close()
  await world.start()
}

/** Each of the two values of this kind is put in the place of the other. */
const swaps = (sara: Participant, prefix = 's') =>
  tampers(sara, ({ rows, write }) => {
    const [one, other, ...more] = rows(prefix)
    if (!one || !other || more.length > 0) throw new Error(`not two values under ${prefix}`)
    write(one.key, other.value)
    write(other.key, one.value)
  })

/** Puts the only attempt back as it was at this moment, perhaps changed. */
async function keepsCopy(sara: Participant): Promise<(change?: (copy: Buffer) => unknown) => Promise<void>> {
  let copy = Buffer.alloc(0)
  await tampers(sara, ({ rows }) => {
    copy = Buffer.from(rows('s')[0]?.value ?? [])
  })
  return (change = () => undefined) =>
    tampers(sara, ({ rows, write }) => {
      change(copy)
      write(rows('s')[0]?.key ?? '', copy)
    })
}

/** At which question everybody is, by the table that an organizer has made. */
async function positions(manager: Office): Promise<(string | undefined)[]> {
  await manager.says('/status')
  await manager.taps('export')
  const [, ...rows] = manager.file('.csv').trimEnd().split('\r\n')
  return rows.map((row) => row.split(',')[4])
}

/** The answers are on their way to a service that is away. */
async function sendsInVain(sara: Participant): Promise<void> {
  sara.world.sandbox.fault({ kind: 'status', status: 503, times: 20 })
  await sara.taps(/^submit:/)
}

/** Whatever was sent meanwhile has been given time. */
async function isRefused(sara: Participant): Promise<void> {
  for (let count = 0; count < 5; count += 1) await sara.waits(61_000)
  expect(sara.submissions.filter(({ accepted }) => accepted)).toEqual([])
  expect(sara.place).toBe('refused')
}

/** Where a field of the header begins. */
function offsetOf(name: string): number {
  let offset = 1
  for (const [field, width] of [
    ...Object.entries(attemptLayout.bytes),
    ...Object.entries(attemptLayout.numbers),
  ]) {
    if (field === name) return offset
    offset += width
  }
  throw new Error(`no field ${name}`)
}

const instant = { at: 'review', record: { authRequired: false } } as const

story('an attempt that was put in the place of another is nobody’s', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  await two(sara, [0, 1, 2])
  const { data } = sara.question
  await swaps(sara)
  await sara.forges(data[0] ?? '')
  // Nothing of the other one is shown or continued, and nothing is begun in its place.
  expect(sara.heard).toContain(word('trouble'))
  expect(sara.heard).not.toContain(word('attempt-expired'))
  await swaps(sara)
  await sara.opens()
  expect(sara.question.position).toBe(4)
})

story('the table of organizers tells of nobody how far another one is', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false }, environment: ORGANIZED })
  await two(sara, [0, 1])
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  await swaps(sara)
  expect(await positions(manager)).toEqual(['', ''])
  await swaps(sara)
  expect(await positions(manager)).toEqual(['3', '3'])
  // While its claim is released it is nobody's, and still that of its record.
  await manager.forges(`release:${s}:same`)
  expect(await positions(manager)).toEqual(['3', '3'])
})

story('complete answers of somebody else are not submitted', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  const reza = await two(sara, [0, 1, 2, 0, 1, 2, 0])
  await sendsInVain(sara)
  await swaps(sara)
  await isRefused(sara)
  expect(reza.submissions).toEqual([])
})

story('of two tests of one person neither takes the place of the other', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  await sara.answers(0, 1, 2, 0, 1, 2, 0)
  const other = withAnother(sara, { testId: 'mood-7', authRequired: false })
  await other.opens()
  await other.walksTo('question')
  await other.answers(3, 3, 3, 3, 3, 3, 3)
  await sendsInVain(other)
  await swaps(sara)
  await isRefused(other)
  await sara.opens()
  expect(sara.heard).toContain(word('trouble'))
  expect(sara.submissions).toEqual([])
})

story('a flipped bit of what was sealed is not submitted: the time is another', async ({ meet }) => {
  const sara = await meet(instant)
  await sendsInVain(sara)
  const puts = await keepsCopy(sara)
  const at = offsetOf('activeMs') + 1
  await puts((copy) => copy.writeUInt8((copy[at] ?? 0) ^ 1, at))
  await isRefused(sara)
})

/** An answer was changed and all were sent in vain, before the attempt was put back to what it was without the change. */
async function isPutBackBehindSend(sara: Participant, change?: (copy: Buffer) => unknown): Promise<void> {
  const putsBack = await keepsCopy(sara)
  await sara.taps(/^review:/)
  await sara.taps(/^go:[\w-]+:0/)
  await sara.answers(2)
  expect(sara.place).toBe('review')
  await sendsInVain(sara)
  await putsBack(change)
}

story(
  'an attempt from before «send», said to be locked, does not pass for the one that was sent',
  async ({ meet }) => {
    const sara = await meet(instant)
    const locked = ATTEMPT_STATES.indexOf('locked')
    await isPutBackBehindSend(sara, (copy) => copy.writeUInt8(locked, offsetOf('state')))
    await isRefused(sara)
  },
)

story(
  'an attempt from before «send» is looked at once more, and goes out as it is shown',
  async ({ meet }) => {
    const sara = await meet(instant)
    await isPutBackBehindSend(sara)
    for (let count = 0; count < 5 && sara.place !== 'review'; count += 1) await sara.waits(61_000)
    expect(sara.chat).toContain(word('submit-once-more'))
    expect(sara.submissions.filter(({ accepted }) => accepted)).toEqual([])
    expect(sara.place).toBe('review')
    await sara.taps(/^submit:/)
    const accepted = () => sara.submissions.filter((submission) => submission.accepted)
    for (let count = 0; count < 30 && accepted().length === 0; count += 1) await sara.waits(61_000)
    expect(accepted()).toHaveLength(1)
  },
)

story('what is sent is what the review shows: an older copy of it is shown once more', async ({ meet }) => {
  const sara = await meet(instant)
  const putsBack = await keepsCopy(sara)
  await sara.taps(/^review:/)
  await sara.taps(/^go:[\w-]+:0/)
  await sara.answers(2)
  const { screen } = sara
  await putsBack()
  await sara.taps(/^submit:/)
  expect(sara.submissions).toEqual([])
  expect(sara.place).toBe('review')
  expect(sara.screen).not.toBe(screen)
})

story(
  'complete answers whose code was taken away are shown once more before they are sent',
  async ({ meet }) => {
    const sara = await meet(instant)
    const puts = await keepsCopy(sara)
    await puts((copy) => copy.writeUInt32BE(0, offsetOf('macRevision')))
    await sara.taps(/^submit:/)
    expect(sara.submissions).toEqual([])
    expect(sara.place).toBe('review')
    await sara.taps(/^submit:/)
    expect(sara.submissions).toHaveLength(1)
  },
)

story(
  'questions that were swapped for those of another test are not those of the answers',
  async ({ meet }) => {
    const sara = await meet({
      ...instant,
      sandbox: { tests: [shortTest()] },
      record: { authRequired: false },
    })
    const other = withAnother(sara, { testId: 'short', authRequired: false })
    await other.opens()
    await other.walksTo('question')
    await sendsInVain(other)
    await swaps(sara, 'q')
    await isRefused(sara)
  },
)

story(
  'a record that was put back to when it had other questions sends none of these answers',
  async ({ meet }) => {
    const sara = await meet(instant)
    const s = shortIdOf(sara)
    await sendsInVain(sara)
    await withStorage(sara, async ({ store, vault }) => {
      const [entry] = await store.read([documentKey(recordFiles, s)])
      const file = entry && openDocument(vault, recordFiles, s, entry)
      if (!file || !('questions' in file.state) || !file.state.questions) throw new Error('no questions')
      const asked = await readQuestions(
        { get: (kind, id) => readDocument({ store, vault }, kind, id) },
        vault,
        file.state.questions.content,
      )
      if (!asked) throw new Error('no questions')
      const content = 'ab'.repeat(32)
      const id = questionsId(vault, content)
      file.state.questions.content = content
      await store.put(
        { key: documentKey(recordFiles, s), value: sealDocument(vault, recordFiles, s, file) },
        entry.version,
      )
      await store.put(
        { key: documentKey(questionnaires, id), value: sealDocument(vault, questionnaires, id, asked) },
        null,
      )
    })
    await isRefused(sara)
  },
)

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

/** Two participants with a test each, who give this many answers. */
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

/** A change of the stopped bot's store by an attacker with write access. */
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

/** Swaps the two values of this kind. */
const swaps = (sara: Participant, prefix = 's') =>
  tampers(sara, ({ rows, write }) => {
    const [one, other, ...more] = rows(prefix)
    if (!one || !other || more.length > 0) throw new Error(`not two values under ${prefix}`)
    write(one.key, other.value)
    write(other.key, one.value)
  })

/** Returns what puts the only attempt back as it is now, perhaps changed. */
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

/** The question of each participant, by the organizer's table. */
async function positions(manager: Office): Promise<(string | undefined)[]> {
  await manager.says('/status')
  await manager.taps('export')
  const [, ...rows] = manager.file('.csv').trimEnd().split('\r\n')
  return rows.map((row) => row.split(',')[4])
}

/** Sends the answers to a service that is away. */
async function sendsInVain(sara: Participant): Promise<void> {
  sara.world.sandbox.fault({ kind: 'status', status: 503, times: 20 })
  await sara.taps(/^submit:/)
}

/** The submission gets time to finish, and is refused. */
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

story('an attempt that was put in the place of another one belongs to no account', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  await two(sara, [0, 1, 2])
  const { data } = sara.question
  await swaps(sara)
  await sara.forges(data[0] ?? '')
  // The bot neither shows nor continues the other attempt, and begins no new one in its place.
  expect(sara.heard).toContain(word('trouble'))
  expect(sara.heard).not.toContain(word('attempt-expired'))
  await swaps(sara)
  await sara.opens()
  expect(sara.question.position).toBe(4)
})

story('the organizer’s table does not show the progress of a swapped attempt', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false }, environment: ORGANIZED })
  await two(sara, [0, 1])
  const s = shortIdOf(sara)
  const manager = await organizerOf(sara)
  await swaps(sara)
  expect(await positions(manager)).toEqual(['', ''])
  await swaps(sara)
  expect(await positions(manager)).toEqual(['3', '3'])
  // A released attempt has no owner, and still belongs to its record.
  await manager.forges(`release:${s}:same`)
  expect(await positions(manager)).toEqual(['3', '3'])
})

story('complete answers of another account are not submitted', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  const reza = await two(sara, [0, 1, 2, 0, 1, 2, 0])
  await sendsInVain(sara)
  await swaps(sara)
  await isRefused(sara)
  expect(reza.submissions).toEqual([])
})

story('two swapped tests of one participant are not taken for each other', async ({ meet }) => {
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

story('an attempt whose time was changed by a flipped bit is not submitted', async ({ meet }) => {
  const sara = await meet(instant)
  await sendsInVain(sara)
  const puts = await keepsCopy(sara)
  const at = offsetOf('activeMs') + 1
  await puts((copy) => copy.writeUInt8((copy[at] ?? 0) ^ 1, at))
  await isRefused(sara)
})

/** Changes an answer, sends all in vain, and puts the attempt back to what it was before the change. */
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
  'an attempt from before «send» that was marked as locked does not pass for the one that was sent',
  async ({ meet }) => {
    const sara = await meet(instant)
    const locked = ATTEMPT_STATES.indexOf('locked')
    await isPutBackBehindSend(sara, (copy) => copy.writeUInt8(locked, offsetOf('state')))
    await isRefused(sara)
  },
)

story(
  'an attempt from before «send» is shown at the review again, and is then sent as shown',
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

story('an older copy of the answers is shown once more before it is sent', async ({ meet }) => {
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

story('complete answers without their code are shown once more before they are sent', async ({ meet }) => {
  const sara = await meet(instant)
  const puts = await keepsCopy(sara)
  await puts((copy) => copy.writeUInt32BE(0, offsetOf('macRevision')))
  await sara.taps(/^submit:/)
  expect(sara.submissions).toEqual([])
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  expect(sara.submissions).toHaveLength(1)
})

story(
  'answers are not submitted when their questions were swapped for those of another test',
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
  'answers are not submitted when the record file names other questions than theirs',
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

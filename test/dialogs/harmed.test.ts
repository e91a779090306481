import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { eventually } from '../until.ts'
import { createParticipant, type Participant, story, word } from './walk.ts'

const instant = { at: 'question', record: { testsAuthRequired: false } } as const

/** Flips one bit in one value of this kind while the bot is stopped. */
function flip({ world }: Participant, prefix: string, at: number): void {
  const db = new DatabaseSync(join(world.env.DATA_DIR ?? '', 'porsa.db'))
  const find = db.prepare("SELECT key, value FROM entry WHERE key LIKE ? || ':%' ORDER BY key LIMIT 1")
  const { key, value } = find.get(prefix) as { key: string; value: Uint8Array }
  const harmed = Buffer.from(value)
  harmed[at] = (harmed[at] ?? 0) ^ 1
  db.prepare('UPDATE entry SET value = ? WHERE key = ?').run(harmed, key)
  db.close()
}

/** Another participant is not affected and gets the result. */
async function somebodyElseFinishes({ world }: Participant): Promise<void> {
  const token = world.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })
  const reza = createParticipant(world, world.emulator.person({ firstName: 'رضا' }), token)
  await reza.walksTo('review')
  await reza.taps(/^submit:/)
  expect(reza.files).toHaveLength(2)
}

const linesOf = ({ world }: Participant, message: string) =>
  world.lines.filter((line) => line.includes(message) && !line.includes('"level":30'))

story.for([
  ['the file of her record', 'r', 30],
  ['her attempt', 's', 0],
  ['the account', 'u', 30],
] as const)('%s is damaged: she gets one message, all others go on', async ([, prefix, at], { meet }) => {
  const sara = await meet(instant)
  await sara.world.stop()
  flip(sara, prefix, at)
  await sara.world.start()
  const [first = ''] = sara.question.data
  await sara.taps(first)
  if (prefix === 'u') await sara.opens()
  expect(sara.heard).toBe(word('trouble'))
  expect(linesOf(sara, 'message set aside')).toHaveLength(1)
  expect(linesOf(sara, 'message not handled')).toEqual([])
  expect(linesOf(sara, 'updates not received')).toEqual([])
  await somebodyElseFinishes(sara)
})

story('damaged questions are fetched again, and no answer is lost', async ({ meet }) => {
  const sara = await meet(instant)
  await sara.answers(1, 2)
  await sara.world.stop()
  flip(sara, 'q', 30)
  await sara.world.start()
  await sara.opens()
  expect(sara.chat).not.toContain(word('attempt-expired'))
  expect(sara.question.position).toBe(3)
  expect(linesOf(sara, 'kept value begun anew').length).toBeGreaterThan(0)
  await sara.answers(0, 0, 0, 0, 0)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toMatchObject([
    { record: ['q1o2', 'q2o3', 'q3o1', 'q4o1', 'q5o1', 'q6o1', 'q7o1'], accepted: true },
  ])
})

story('a damaged message of her queue is set aside, and those behind it are handled', async ({ meet }) => {
  const sara = await meet(instant)
  const dir = sara.world.env.DATA_DIR ?? ''
  await sara.world.stop()
  const db = new DatabaseSync(join(dir, 'porsa.db'))
  const { key } = db.prepare("SELECT key FROM entry WHERE key LIKE 'u:%'").get() as { key: string }
  db.close()
  const store = await createSqliteStore({ dir, now: sara.world.now })
  await store.post({ actor: `chat:${key.slice(2)}`, id: 'harmed', body: Buffer.from('flipped') })
  await store.close()
  await sara.world.start()
  await eventually(() => expect(sara.screen).toBe(word('trouble')))
  expect(linesOf(sara, 'message set aside')).toHaveLength(1)
  await sara.opens()
  expect(sara.place).toBe('question')
  await somebodyElseFinishes(sara)
})

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'vitest'
import { another, createParticipant, type Participant, story, word } from './walk.ts'

/** Two people with a test each, and so many answers. */
async function two(sara: Participant, answers: number[]) {
  const token = sara.world.sandbox.addRecord({ testId: 'mood-7', authRequired: false })
  const reza = createParticipant(sara.world, another(sara).person, token)
  await reza.walksTo('question')
  await sara.answers(...answers)
  await reza.answers(...answers.map(() => 3))
  return reza
}

/** What somebody with write access to the store does to the two sittings in it while the bot does not run. */
async function swaps({ world }: Participant): Promise<void> {
  await world.stop()
  const database = new DatabaseSync(join(world.env.DATA_DIR ?? '', 'porsa.db'))
  const rows = database.prepare("SELECT key, value FROM entry WHERE key LIKE 's:%'").all()
  const [one, other] = rows as { key: string; value: Uint8Array }[]
  expect(rows).toHaveLength(2)
  const write = database.prepare('UPDATE entry SET value = ? WHERE key = ?')
  write.run(other?.value ?? null, one?.key ?? null)
  write.run(one?.value ?? null, other?.key ?? null)
  database.close()
  await world.start()
}

story('a sitting that was put in the place of another is nobody’s', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  await two(sara, [0, 1, 2])
  const { data } = sara.question
  await swaps(sara)
  await sara.forges(data[0] ?? '')
  expect(sara.heard).toContain(word('sitting-expired'))
  // Her own test begins anew; nothing of the other one is shown or continued.
  expect(sara.question.position).toBe(1)
})

story('complete answers of somebody else are not submitted', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  const reza = await two(sara, [0, 1, 2, 0, 1, 2, 0])
  sara.world.sandbox.fault({ kind: 'status', status: 503, times: 20 })
  await sara.taps(/^submit:/)
  await swaps(sara)
  for (let count = 0; count < 5; count += 1) await sara.waits(61_000)
  expect(sara.submissions.filter(({ accepted }) => accepted)).toEqual([])
  expect(sara.place).toBe('refused')
  expect(reza.submissions).toEqual([])
})

import { describe } from 'vitest'
import type { RecordSpec } from '../../tools/sandbox/sandbox.ts'
import { until } from '../until.ts'
import { createParticipant } from './participant.ts'
import { type ProcessWorld, story } from './world.ts'

export const DELIVERED = { pictures: 1, texts: 1, documents: 1 }
export const withoutSms = { testId: 'mood-7', testsAuthRequired: false }

/** Opens a record for one person, with the bot running. */
export function meet({ sandbox, emulator, bot, explain, chance }: ProcessWorld, record: RecordSpec) {
  const token = sandbox.addRecord(record)
  bot.start()
  const participant = createParticipant({ sandbox, person: emulator.person(), token, explain, chance })
  void participant.opens()
  return participant
}

export async function killedAndStarted({ bot }: ProcessWorld): Promise<void> {
  await bot.kill()
  bot.start()
}

/** The same, after this many more calls of the bot. */
async function killedAfter(more: number, world: ProcessWorld): Promise<void> {
  const { calls } = world.emulator
  const made = calls.length
  await until(() => calls.length >= made + more, world)
  await killedAndStarted(world)
}

export type Crashes = {
  environment?: () => Record<string, string>
  /** The steps of the dialog after which the process is killed. */
  dialogSteps: readonly number[]
  /** The parts of the result on whose way it is killed. */
  parts: readonly ('sendPhoto' | 'sendMessage' | 'sendDocument')[]
}

/** Stories of kills at any moment, on either store: nothing is lost, and nothing happens twice. */
export function describeCrashes(store: string, crashes: Crashes) {
  const { environment = () => ({}), dialogSteps, parts } = crashes

  describe(`killed on ${store}`, () => {
    story('while answers stream in: exactly the chosen ones arrive', async ({ open, expect }) => {
      const world = await open({ environment: environment() })
      world.emulator.fault({ kind: 'duplicate', times: 500 })
      const zahra = meet(world, { testId: 'sleep-20', testsAuthRequired: false })
      const random = world.chance()
      const kills = async () => {
        for (const from of [1, 7, 13]) {
          const at = from + random(5)
          await until(() => zahra.chosen.length >= at, world)
          await killedAfter(random(4), world)
        }
      }
      await Promise.all([zahra.goesOnUntil(() => zahra.result.documents > 0), kills()])
      expect(zahra.accepted).toEqual([zahra.chosen])
      expect(zahra.chosen).toHaveLength(20)
    })

    story('in the dialog: it goes on at the first missing field', async ({ open, expect }) => {
      const world = await open({ environment: environment() })
      const zahra = meet(world, withoutSms)
      const random = world.chance()
      const kills = async () => {
        for (const step of dialogSteps) {
          await until(() => zahra.stepsTaken >= step, world)
          await killedAfter(random(3), world)
        }
      }
      await Promise.all([zahra.goesOnUntil(() => zahra.place === 'question'), kills()])
      expect(world.sandbox.calls.filter(({ path }) => path.endsWith('/auth/'))).toMatchObject([
        { body: { name: 'زهرا محمدی', mobile: '09123456789', birth: '1996-08-02', is_male: false } },
      ])
    })

    story('after the service took the answers: they count once', async ({ open, expect }) => {
      const world = await open({ environment: environment() })
      const { sandbox } = world
      const zahra = meet(world, withoutSms)
      sandbox.fault({ kind: 'slow', ms: 60_000, executed: true, method: 'POST', path: '^/record/[^/]+/$' })
      await zahra.goesOnUntil(() => zahra.accepted.length === 1)
      await killedAndStarted(world)
      await zahra.goesOnUntil(() => zahra.result.documents > 0)
      expect(zahra.accepted).toEqual([zahra.chosen])
      expect(sandbox.submissions(zahra.token)).toHaveLength(1)
    })

    story('while the result is delivered: every part comes, none twice', async ({ open, expect }) => {
      const world = await open({ environment: environment() })
      const { emulator, bot } = world
      const zahra = meet(world, withoutSms)
      // The process is killed while it sends these parts, which do not arrive.
      const deaths = parts.map((method) =>
        emulator.fault({
          kind: 'cut',
          method,
          when: (payload) => isResult(method, payload) && Boolean(bot.kill()),
        }),
      )
      await zahra.goesOnUntil(() => deaths[0]?.hits === 1)
      for (const death of deaths) {
        await until(() => death.hits === 1, world)
        await bot.exit()
        bot.start()
      }
      await until(() => zahra.result.documents > 0, world)
      expect(zahra.result).toEqual(DELIVERED)
    })
  })
}

function isResult(method: string, payload: Record<string, unknown>): boolean {
  return method !== 'sendMessage' || String(payload.text).startsWith('<b>نتیجهٔ آزمون')
}

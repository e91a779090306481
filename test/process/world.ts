import { rm } from 'node:fs/promises'
import { test as base, type TestAPI } from 'vitest'
import { type Chance, createChance, freshSeed } from '../random.ts'
import { temporaryFolder } from '../storage/worlds.ts'
import { createSurroundings, type WorldOptions } from '../surroundings.ts'
import { type BotProcess, createBotProcess } from './bot-process.ts'
import { bundledBot } from './bundle.ts'

export type ProcessWorld = Awaited<ReturnType<typeof createSurroundings>> & {
  bot: BotProcess
  /** The source of chance. A failed story names its seed; `TEST_SEED` repeats it. */
  chance: Chance
  /** The chats and the log of the bot, for a test that fails. */
  explain(): string
}

export type Fixtures = {
  /** The program of the bot. */
  program: URL
  /** A folder for the test. */
  dir: string
  /**
   * The emulated Telegram, the sandbox, both with the given clock, and the bot as a process that is not
   * started yet; all end with the test.
   */
  open: (
    options?: WorldOptions & { now?: () => number; through?: readonly string[] },
  ) => Promise<ProcessWorld>
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  program: [async ({}, use) => use(await bundledBot()), { scope: 'worker' }],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  dir: async ({}, use) => {
    const dir = await temporaryFolder()
    await use(dir)
    await rm(dir, { recursive: true })
  },
  open: async ({ program, onTestFailed }, use) => {
    const worlds: ProcessWorld[] = []
    const seed = freshSeed()
    onTestFailed(({ task }) =>
      console.error(`${task.name}: TEST_SEED=${seed} repeats what was left to chance`),
    )
    await use(async ({ now = Date.now, through, ...options } = {}) => {
      const surroundings = await createSurroundings(options, now)
      const bot = createBotProcess(program, surroundings.env, through)
      const explain = () =>
        [surroundings.emulator.transcript(), bot.output.stdout, bot.output.stderr].join('\n')
      const world = { ...surroundings, bot, chance: createChance(seed), explain }
      worlds.push(world)
      return world
    })
    await Promise.all(worlds.map(({ bot }) => bot.kill()))
    await Promise.all(worlds.map(({ close }) => close()))
  },
})

/** A story with its own world. Stories run side by side, since they mostly wait. */
export const story = extended.concurrent

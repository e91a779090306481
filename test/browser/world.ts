import { type Demo, startDemo } from '../../tools/demo/server.ts'
import { folder } from '../demo/demo.ts'
import { PATIENCE_MS, withBrowser } from '../demo/page/chromium.ts'
import { type Chat, openChat } from '../demo/page/open-chat.ts'
import { bundledBot } from '../process/bundle.ts'

export type Visit = {
  demo: Demo
  chat: Chat
  /** Opens another person's chat in its own window. */
  window: (path: string) => Promise<Chat>
  /** The signals that have ended the bot so far. */
  killed: (NodeJS.Signals | null)[]
}

export { withoutChromium } from '../demo/page/chromium.ts'

type Fixtures = {
  /** The program of the bot. */
  program: URL
  /** Opens the demo, with its bot as a process, and a person's chat at an address of the page. */
  visit: (path: (demo: Demo) => string) => Promise<Visit>
}

export const story = withBrowser.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  program: [async ({}, use) => use(await bundledBot()), { scope: 'worker' }],
  visit: async ({ program, browser, onTestFailed }, use) => {
    const ends: (() => Promise<unknown>)[] = []
    const faults: string[] = []
    await use(async (path) => {
      const killed: Visit['killed'] = []
      const demo = await startDemo({
        host: '127.0.0.1',
        port: 0,
        dataDir: folder(),
        fresh: false,
        generationSeconds: 1,
        logLevel: 'error',
        botEntry: program,
        onBotExit: ({ signal }) => killed.push(signal),
      })
      ends.push(() => demo.close())
      onTestFailed(() => console.error(demo.emulator.transcript()))
      const window = async (address: string) => {
        const page = await browser.newPage({
          viewport: { width: 412, height: 800 },
          reducedMotion: 'reduce',
        })
        page.setDefaultTimeout(PATIENCE_MS)
        ends.push(() => page.close())
        page.on('pageerror', (error) => faults.push(error.message))
        return openChat(page, demo.url + address)
      }
      return { demo, chat: await window(path(demo)), window, killed }
    })
    for (const end of ends.reverse()) await end()
    if (faults.length > 0) throw new Error(`the page failed: ${faults.join('; ')}`)
  },
})

/** The payload of a ready invitation of the demo. */
export const invitation = ({ demo }: Pick<Visit, 'demo'>, title: string) =>
  demo.invitations.find((each) => each.title === title)?.payload ?? ''

/** Kills the bot's process; the demo starts another one. */
export function kill({ bot }: Demo): void {
  if (bot?.pid === undefined) throw new Error('the bot does not run')
  process.kill(bot.pid, 'SIGKILL')
}

/** The answers that the sandbox accepted for a record, as positions of the options. */
export function accepted({ sandbox }: Demo, token: string): number[][] {
  return sandbox
    .submissions(token)
    .filter((submission) => submission.accepted)
    .map(({ record }) =>
      Object.values(record as object)
        .flat()
        .map(positionOf),
    )
}

/** The sandbox names options by position: `q3o1`, or `o1` where ids repeat. */
const positionOf = (id: unknown): number => Number(/o(\d+)$/.exec(String(id))?.[1]) - 1

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { until } from '../until.ts'

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

export type BotProcess = ReturnType<typeof createBotProcess>

/** The bot as a process that can be killed and started again; `through` is a program that starts it. */
export function createBotProcess(entry: URL, env: Record<string, string>, through: readonly string[] = []) {
  let child: ChildProcess | undefined
  let exited: Promise<Exit> = Promise.resolve({ code: null, signal: null })
  const output = { stdout: '', stderr: '' }
  let startedAt = 0

  const lines = (from = 0): Record<string, unknown>[] =>
    output.stdout
      .slice(from)
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line))

  const bot = {
    output,
    /** The root of its file system, seen from outside. */
    root: () => `/proc/${child?.pid}/root`,
    /** The lines of its log, of all its runs. */
    lines: () => lines(),
    start(changes: Record<string, string> = {}): void {
      startedAt = output.stdout.length
      const [program = '', ...args] = [...through, process.execPath, fileURLToPath(entry)]
      const own = spawn(program, args, {
        env: { PATH: process.env.PATH, ...env, ...changes },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = own
      for (const name of ['stdout', 'stderr'] as const) {
        own[name].setEncoding('utf8').on('data', (text: string) => {
          output[name] += text
        })
      }
      exited = once(own, 'close').then(([code, signal]) => ({ code, signal }))
    },
    /** The exit of the process. */
    exit: () => exited,
    /** Kills it in the middle of its work. */
    async kill(): Promise<void> {
      child?.kill('SIGKILL')
      await exited
    },
    /** Stops the process until `thaw`, without ending it. */
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop(): Promise<Exit> {
      child?.kill('SIGTERM')
      return exited
    },
    /** The address of its HTTP server. */
    async address(): Promise<string> {
      const started = () => lines(startedAt).find(({ msg }) => msg === 'started')
      await until(() => started() !== undefined, { explain: () => output.stdout + output.stderr })
      return `http://127.0.0.1:${started()?.port}`
    },
    async ready(): Promise<void> {
      const address = await bot.address()
      await until(async () => (await fetch(`${address}/readyz`)).ok, { explain: () => output.stdout })
    },
  }
  return bot
}

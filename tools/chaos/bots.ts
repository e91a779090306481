import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Bot = ReturnType<typeof createBot>

const RESTART_MS = 200

type BotDeps = {
  /** The version that is started next. */
  programOf: () => string
  number: number
  env: Record<string, string>
  /** The folder of its logs. */
  folder: string
  /** Called when the process ends although the run did not ask for that. */
  onEnding: (ending: string) => void
}

/** A replica as a process of its own, which is restarted whenever it ends. */
export function createBot({ programOf, number, env, folder, onEnding }: BotDeps) {
  const [log, errors] = [join(folder, `bot-${number}.log`), join(folder, `bot-${number}.err`)]
  const output = [openSync(log, 'a'), openSync(errors, 'a')] as const
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  /** The process that the run has just asked to end. */
  let leaving: ChildProcess | undefined
  let isWanted = false
  let thawing: NodeJS.Timeout | undefined
  const thaws: number[] = []

  function start(): void {
    if (!isWanted) return
    const own = spawn(process.execPath, [programOf()], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', ...output],
    })
    child = own
    ended = once(own, 'exit').then(([code, signal]) => {
      child = undefined
      clearTimeout(thawing)
      thawing = undefined
      // A process that does not handle signals yet is ended by any signal.
      const isAsked = leaving === own && (signal !== null || code === 0)
      if (!isAsked) onEnding(`ended with ${code ?? signal}`)
      if (isWanted) setTimeout(start, leaving === own ? 0 : RESTART_MS)
    })
  }

  function thaw(): void {
    if (!thawing) return
    clearTimeout(thawing)
    thawing = undefined
    child?.kill('SIGCONT')
    thaws.push(Date.now())
  }

  async function end(signal: NodeJS.Signals): Promise<boolean> {
    const own = child
    if (!own) return false
    if (signal !== 'SIGKILL') thaw()
    leaving = own
    own.kill(signal)
    await ended
    return true
  }

  return {
    /** When the process continued after it had been frozen. */
    thaws: thaws as readonly number[],
    start(): void {
      isWanted = true
      if (!child) start()
    },
    /** Kills the process in the middle of its work; returns whether a process was running. */
    kill: () => end('SIGKILL'),
    /** Ends the process as an upgrade does. */
    stop: () => end('SIGTERM'),
    /** Kills the process, which stays down until it is started. */
    async down(): Promise<void> {
      isWanted = false
      await end('SIGKILL')
    },
    freeze(ms: number): boolean {
      if (!child || thawing) return false
      child.kill('SIGSTOP')
      thawing = setTimeout(thaw, ms)
      return true
    },
    thaw,
    log: () => readFileSync(log, 'utf8'),
    errors: () => readFileSync(errors, 'utf8'),
    /** Waits until its server answers. */
    async answers(port: number): Promise<void> {
      while (
        !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await sleep(50)
    },
  }
}

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { messageFrom } from './message-from.ts'

/** An edit that reached Telegram: in which chat, and when by the machine's monotonic clock, in milliseconds. */
export type Drawn = { chatId: number; at: number }

export type TelegramStub = {
  apiRoot: string
  /** How many calls came since the last time. */
  take(): Promise<number>
  /** Resolves when so many calls have come since the last `take`. */
  reached(calls: number): Promise<void>
  /** From now on every edit is noted, which costs the stub more. */
  watch(): void
  /** What was noted; nothing is from now on. */
  drawn(): Promise<Drawn[]>
  close(): void
}

/** A Bot API that says yes to everything, in a process of its own, so that its work is not measured. */
export async function startTelegramStub(): Promise<TelegramStub> {
  const child = fork(fileURLToPath(new URL('./telegram-stub-process.js', import.meta.url)))
  const { port } = await messageFrom<{ port: number }>(child)

  async function ask(question: { reached: number } | 'take'): Promise<number> {
    child.send(question)
    return (await messageFrom<{ calls: number }>(child)).calls
  }

  return {
    apiRoot: `http://127.0.0.1:${port}`,
    take: () => ask('take'),
    async reached(calls) {
      await ask({ reached: calls })
    },
    watch: () => void child.send('watch'),
    async drawn() {
      child.send('drawn')
      return (await messageFrom<{ drawn: Drawn[] }>(child)).drawn
    },
    close: () => void child.kill(),
  }
}

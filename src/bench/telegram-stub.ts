import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type TelegramStub = {
  apiRoot: string
  /** How many calls came since the last time. */
  take(): Promise<number>
  /** Resolves when so many calls have come since the last `take`. */
  reached(calls: number): Promise<void>
  close(): void
}

/** A Bot API that says yes to everything, in a process of its own, so that its work is not measured. */
export async function startTelegramStub(): Promise<TelegramStub> {
  const child = fork(fileURLToPath(new URL('./telegram-stub-process.js', import.meta.url)))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]

  async function ask(question: { reached: number } | 'take'): Promise<number> {
    child.send(question)
    const [answer] = (await once(child, 'message')) as [{ calls: number }]
    return answer.calls
  }

  return {
    apiRoot: `http://127.0.0.1:${port}`,
    take: () => ask('take'),
    async reached(calls) {
      await ask({ reached: calls })
    },
    close: () => void child.kill(),
  }
}

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { messageFrom } from './message-from.ts'

/** An edit that reached Telegram: its chat, and its time by the machine's monotonic clock in milliseconds. */
export type Rendered = { chatId: number; at: number }

export type TelegramStub = {
  apiRoot: string
  /** Reports every edit from now on, which makes the stub slower. */
  onEdit(listener: (edit: Rendered) => void): void
  close(): void
}

/** A Bot API that accepts everything, in a process of its own, so that its work is not measured. */
export async function startTelegramStub(): Promise<TelegramStub> {
  const child = fork(fileURLToPath(new URL('./telegram-stub-process.js', import.meta.url)))
  const { port } = await messageFrom<{ port: number }>(child, 'port')
  return {
    apiRoot: `http://127.0.0.1:${port}`,
    onEdit(listener) {
      child.send('watch')
      child.on('message', (edit: Rendered) => listener(edit))
    },
    close: () => void child.kill(),
  }
}

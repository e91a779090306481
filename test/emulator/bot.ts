import { Api, GrammyError } from 'grammy'
import { onTestFinished } from 'vitest'
import { createEmulator, type EmulatorOptions } from '../../tools/emulator/emulator.ts'

export const START = Date.UTC(2026, 9, 1, 9, 0, 0)

/** An emulated Telegram over HTTP with a stopped clock, and grammY's client as its bot. */
export async function telegram(options: EmulatorOptions = {}) {
  const clock = { now: START }
  const emulator = createEmulator({ now: () => clock.now, spinGuardMs: 0, ...options })
  const root = await emulator.listen()
  onTestFinished(() => emulator.close())
  const api = new Api(emulator.token, { apiRoot: root })
  return { emulator, api, root, url: `${root}/bot${emulator.token}`, clock }
}

/** The same, with one person who has pressed START and whose update is confirmed. */
export async function chat(options: EmulatorOptions = {}) {
  const made = await telegram(options)
  const person = made.emulator.person({ firstName: 'سارا', phone: '+989121234567' })
  person.start()
  await made.api.getUpdates({ offset: -1 })
  const updates = await made.api.getUpdates({ limit: 1 })
  await made.api.getUpdates({ offset: (updates[0]?.update_id ?? 0) + 1 })
  return { ...made, person }
}

/** The error the Bot API answered with, as `code description`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (error instanceof GrammyError) return `${error.error_code} ${error.description}`
    throw error
  }
  return 'not refused'
}

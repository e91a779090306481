import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/observe/logger.ts'
import { run } from '../../src/run.ts'
import { isRightToLeft, type Language } from '../../src/texts/languages.ts'
import { botEnvironment } from '../demo/bot-environment.ts'
import { type Demo, startDemo } from '../demo/server.ts'
import type { Emulator } from '../emulator/emulator.ts'

/** A demo in one language, empty or with the clinic, and the real bot in this process. */
export type Studio = {
  url: string
  emulator: Emulator
  sandbox: Demo['sandbox']
  organizerId: number
  /** Waits until the bot has reacted to everything that has happened. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The longest wait for any event on a busy machine. */
export const PATIENCE_MS = 180_000

/** Long enough to photograph it on a busy machine. */
export const SMS_COOLDOWN_MS = 5000

export async function openStudio(language: Language, isLivedIn = false): Promise<Studio> {
  const folder = mkdtempSync(join(tmpdir(), 'porsa-screens-'))
  const demo = await startDemo({
    host: '127.0.0.1',
    port: 0,
    dataDir: folder,
    fresh: true,
    isLivedIn,
    generationSeconds: 1,
    logLevel: 'silent',
  })
  const { emulator, sandbox } = demo
  const loaded = loadConfig({
    ...botEnvironment({
      botToken: emulator.token,
      telegramUrl: emulator.app.listeningOrigin,
      serviceUrl: demo.serviceUrl,
      serviceKey: sandbox.key,
      dataDir: join(folder, 'bot'),
      organizerId: demo.organizerId,
      logLevel: 'silent',
    }),
    LOCALE: language,
    POLL_SECONDS: '0.2',
    SMS_COOLDOWN_SECONDS: String(SMS_COOLDOWN_MS / 1000),
    SUPPORT_TEXT: isRightToLeft(language) ? 'اورژانس اجتماعی: ۱۲۳' : 'Social emergency: 123',
  })
  if (!loaded.ok) throw new Error('the demo gives the bot settings that it refuses')
  const bot = await run(loaded.config, { log: createLog('silent'), now: Date.now })

  return {
    url: demo.url,
    emulator,
    sandbox,
    organizerId: demo.organizerId,
    settled: () => emulator.settled({ bot, timeoutMs: PATIENCE_MS }),
    async close() {
      await bot.stop()
      await demo.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

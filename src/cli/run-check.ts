import type { Config } from '../config.ts'
import { checkFonts, checkPort, checkStorage } from './check-here.ts'
import {
  type Ahead,
  checkChats,
  checkClock,
  checkEvents,
  checkLimits,
  checkService,
  checkTelegram,
  checkWebhook,
  telegramOf,
} from './check-remotes.ts'
import { type Finding, find } from './finding.ts'
import { type Called, settingsOf } from './output.ts'

/** `porsa check`: one line for each part, and what to do about one that fails; returns the exit code. */
export async function runCheck({ env, output }: Called): Promise<number> {
  const { config, warnings } = settingsOf(env)
  if (warnings !== '') output.err(warnings)
  const findings = await findAll(config)
  for (const { name, state, detail, advice } of findings) {
    output.out(`${state.padEnd(6)}  ${name.padEnd(9)} ${detail}`)
    if (advice) output.out(`${' '.repeat(18)}→ ${advice}`)
  }
  return findings.some(({ state }) => state === 'FAILED') ? 1 : 0
}

/** Tries every setting as the bot would use it, all at once; findings come in a fixed order. */
async function findAll(config: Config): Promise<Finding[]> {
  const ahead: Ahead = []
  const api = telegramOf(config, ahead)
  const remotes = {
    telegram: find('telegram', () => checkTelegram(api, config)),
    service: find('service', () => checkService(config, ahead)),
  }
  const findings = await Promise.all([
    remotes.telegram,
    remotes.service,
    find('storage', () => checkStorage(config)),
    find('fonts', checkFonts),
    find('port', () => checkPort(config)),
    find('webhook', () => checkWebhook(api, config)),
    find('chats', () => checkChats(api, config)),
    find('events', () => checkEvents(config)),
    find('limits', () => checkLimits(config)),
  ])
  return [...findings, await find('clock', async () => checkClock(ahead))]
}

import { type Config, describeProblems, loadConfig } from '../config.ts'
import { parsePayload } from '../domain/invitation.ts'
import { scrub } from '../observe/scrub.ts'
import { qrText } from '../pictures/qr.ts'
import { createTelegramClient } from '../telegram/client.ts'
import { csvLinks } from './csv-links.ts'
import type { Output } from './output.ts'

const USAGE = [
  'usage: npm run link -- record <uuid> [external_id]',
  '       npm run link -- roadmap <uuid>',
  '       npm run link -- --csv <file>',
].join('\n')

/** `npm run link`: prints an invitation as a link and as a QR code, or those of a file as CSV; returns the exit code. */
export async function runLink(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const { out, err } = output
  const read = readArguments(args)
  if ('problem' in read) {
    err(`${read.problem}\n${USAGE}`)
    return 1
  }
  const loaded = loadConfig(env)
  if (!loaded.ok) {
    err(describeProblems(loaded.problems))
    return 1
  }
  const { botToken, telegramApiRoot, httpProxyUrl } = loaded.config
  const client = { token: botToken, apiRoot: telegramApiRoot, proxyUrl: httpProxyUrl, now: Date.now }
  const bot = await createTelegramClient(client)
    .getMe()
    .catch(() => undefined)
  if (!bot) {
    err('Telegram does not say who the bot is: try `npm run check`')
    return 1
  }
  if ('file' in read) return printCsv(loaded.config, read.file, bot.username, output)
  const link = `https://t.me/${bot.username}?start=${read.payload}`
  out(link)
  out(qrText(link))
  return 0
}

async function printCsv(
  config: Config,
  file: string,
  username: string,
  { out, err }: Output,
): Promise<number> {
  try {
    out((await csvLinks(config, file, username)).trimEnd())
    return 0
  } catch (error) {
    err(scrub(error instanceof Error ? error.message : 'failed'))
    return 1
  }
}

type Arguments = { payload: string } | { file: string } | { problem: string }

function readArguments(args: readonly string[]): Arguments {
  if (args[0] === '--csv') {
    const [, file, ...more] = args
    if (file === undefined) return { problem: 'say which file: --csv <file>' }
    return more.length > 0 ? { problem: 'too many arguments' } : { file }
  }
  const [kind, uuid = '', externalId, ...more] = args
  if (kind !== 'record' && kind !== 'roadmap') return { problem: 'say what to open: record or roadmap' }
  if (!parsePayload(`${kind}_${uuid}`)) return { problem: `the ${kind} must be given by its UUID` }
  if (more.length > 0 || (kind === 'roadmap' && externalId !== undefined))
    return { problem: 'too many arguments' }
  const payload = [kind, uuid.toLowerCase(), ...(externalId === undefined ? [] : [externalId])].join('_')
  return parsePayload(payload) ? { payload } : { problem: 'the external id must be a whole number' }
}

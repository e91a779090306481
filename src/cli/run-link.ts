import { appendFile, readFile, writeFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { linkTo, parsePayload } from '../domain/invitation.ts'
import { MOST_LINES, textIn, titledLines } from '../domain/invitation-lines.ts'
import { tehranToday } from '../domain/persian/calendar.ts'
import { toAsciiDigits } from '../domain/persian/clean.ts'
import { isLookedUp, lookUpNext, makeOn, rowsOf } from '../jobs/batch-rows.ts'
import { AwayError } from '../observe/away.ts'
import { qrText } from '../pictures/qr.ts'
import { createServiceClient } from '../service/client.ts'
import { openBudget } from '../service/open-budget.ts'
import type { Batch } from '../storage/documents/invitations.ts'
import { createTelegramClient } from '../telegram/client.ts'
import { isRefused } from '../telegram/errors.ts'
import { loadTexts } from '../texts/texts.ts'
import { invitationCsv } from '../views/csv.ts'
import { inOneStep, type Opened, openExisting } from './opened.ts'
import { type Called, Misused, settingsOf } from './output.ts'

/** `porsa link`: prints one invitation as link and QR code, those of a file as CSV; returns the exit code. */
export async function runLink({ args, options, env, output }: Called): Promise<number> {
  const wanted = readArguments(args, options)
  const { config } = settingsOf(env)
  if ('payload' in wanted && config.invitationOnly)
    throw new Error(
      'INVITATION_ONLY is set: a bare link opens nothing; make an invitation with --csv, or in the bot',
    )
  const username = await nameOf(config)
  if ('payload' in wanted) {
    const link = linkTo(username, wanted.payload)
    output.out(link)
    output.out(qrText(link))
    return 0
  }
  const opened = await openExisting(config)
  try {
    const { out } = wanted
    // Tried before anything is made: only the table has the links. An existing file stays as it is.
    if (out !== undefined)
      await appendFile(out, '', { mode: 0o600 }).catch(
        refuse('the table cannot be written: nothing was made'),
      )
    const csv = await csvLinks(config, opened, wanted.file, { username, report: output.err })
    if (out === undefined) output.out(csv.trimEnd())
    else
      await writeFile(out, csv).catch(() => {
        output.out(csv.trimEnd())
        throw new Error('the table cannot be written: it is printed instead')
      })
    return 0
  } finally {
    await opened.store.close()
  }
}

type Wanted = { payload: string } | { file: string; out: string | undefined }

/** Reads the arguments; throws the correct usage. */
function readArguments(
  [kind, id = '', externalId, ...more]: readonly string[],
  options: Called['options'],
): Wanted {
  const { csv, out } = options
  if (csv !== undefined) {
    if (kind !== undefined) throw new Misused('too many arguments')
    return { file: String(csv), out: out === undefined ? undefined : String(out) }
  }
  if (kind !== 'record' && kind !== 'roadmap') throw new Misused('say what to open: record or roadmap')
  if (!parsePayload(`${kind}_${id}`)) throw new Misused(`the ${kind} must be given by its UUID`)
  if (more.length > 0 || (kind === 'roadmap' && externalId !== undefined))
    throw new Misused('too many arguments')
  const ids = externalId === undefined ? [] : [toAsciiDigits(externalId)]
  const payload = [kind, id.toLowerCase(), ...ids].join('_')
  if (!parsePayload(payload)) throw new Misused('the external id must be a whole number')
  return { payload }
}

async function nameOf({ botToken: token, telegramApiRoot: apiRoot, httpProxyUrl: proxyUrl }: Config) {
  try {
    return (await createTelegramClient({ token, apiRoot, proxyUrl, now: Date.now }).getMe()).username
  } catch (error) {
    const why = 'Telegram does not say who the bot is: try `porsa check`'
    throw isRefused(error) ? new Error(why) : new AwayError(why)
  }
}

/** Used instead of the error of the system, which repeats the path. */
const refuse = (why: string) => (): never => {
  throw new Error(why)
}

/** No Telegram id: the invitation was made by an operator. */
const OPERATOR = 0

type Reporting = { username: string; report: (line: string) => void }

/** Makes an invitation for each line of a file, like `/invite`. Returns the CSV; throws readable errors. */
async function csvLinks(
  config: Config,
  opened: Opened,
  file: string,
  { username, report }: Reporting,
): Promise<string> {
  const text = textIn(await readFile(file).catch(refuse('the file cannot be read')))
  if (text === undefined) throw new Error('the file is no plain text')
  const { lines } = titledLines(text)
  if (lines.length === 0) throw new Error('the file has no lines')
  if (lines.length > MOST_LINES) throw new Error(`the file has more than ${MOST_LINES} lines`)
  const batch = { by: OPERATOR, rows: rowsOf(lines, tehranToday(Date.now())) }
  // No invitation is made before all lines are looked up.
  await lookUpAll(config, opened, batch, report)
  await inOneStep(config, opened, async (work) => {
    while (await makeOn({ work, now: Date.now() }, batch));
  })
  const made = batch.rows.filter(({ code }) => code !== undefined)
  report(`invitations made: ${made.length}, each on the card of its record or roadmap`)
  return invitationCsv(batch.rows, username, loadTexts().for('en'))
}

async function lookUpAll(
  config: Config,
  { store, vault }: Opened,
  batch: Batch,
  report: Reporting['report'],
): Promise<void> {
  const { serviceUrl: url, serviceKey: key, httpProxyUrl: proxyUrl } = config
  const { ratePerMinute: perMinute, ratePerHour: perHour } = config
  const budget = openBudget({ store, name: vault.hash('service key', key), perMinute, perHour })
  const service = createServiceClient({ url, key, proxyUrl, budget })
  try {
    while (!batch.rows.every(isLookedUp)) {
      const failed = await lookUpNext(service, batch, tehranToday(Date.now()))
      if (failed?.code === 'key_invalid') throw new Error('SERVICE_KEY is refused: nothing was made')
      if (failed) throw new AwayError('the service does not answer: nothing was made')
      const done = batch.rows.filter(isLookedUp).length
      if (done < batch.rows.length) report(`looked up: ${done} of ${batch.rows.length} lines`)
    }
  } finally {
    await service.close()
    await budget.close()
  }
}

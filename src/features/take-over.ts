import { Composer } from 'grammy'
import { callService, isPending, onBehalf } from '../chat/call.ts'
import type { BotContext } from '../chat/context.ts'
import { claimOf, fileOf, isOthers, keepIndex, putClaim, remember } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import { takeSitting } from '../chat/sitting.ts'
import { postSubmission } from '../chat/submission.ts'
import type { Turn } from '../chat/turn.ts'
import type { Account } from '../domain/account.ts'
import { parseMobile } from '../domain/persian/mobile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import type { OutcomeOf } from '../jobs/calls.ts'
import { generationJob } from '../jobs/generation.ts'
import { endInvitations } from '../jobs/invite.ts'
import { owedResults, recordFiles, type TokenClaim } from '../kept/documents.ts'
import { mobileErrorText } from '../views/input-errors.ts'
import { takeOverIsOver } from './ask-mobile.ts'
import { deliver, watchExpiry } from './deliver.ts'
import { openInvitation } from './introduce.ts'
import { showPlace } from './place.ts'
import { watchOpening } from './waiting.ts'

type Taking = NonNullable<Account['takesOver']>

/** The mobile that was asked for, typed or shared. A command ends the question. */
export function typedMobile(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on(['message:text', 'message:contact'], async ({ turn, msg }, next) => {
    const { takesOver } = turn.account
    if (!takesOver) return next()
    if (msg.text?.startsWith('/')) {
      delete turn.account.takesOver
      return next()
    }
    await turn.deleteMessages([msg.message_id])
    await compare(turn, takesOver, msg.text ?? msg.contact?.phone_number ?? '')
  })
  return composer
}

/** Has the number compared with the one in the profile, which only the service knows. */
async function compare(turn: Turn, taking: Taking, text: string): Promise<void> {
  if (isPending(turn, taking.s)) return tell(turn, 'one-moment')
  const read = parseMobile(text)
  if (!read.ok) return void (await turn.say({ text: mobileErrorText(turn.t, read.error) }))
  const claim = await claimOf(turn, taking.token)
  if (claim?.tries !== undefined && claim.tries <= 0) return takeOverIsOver(turn)
  taking.mobile = read.mobile
  const file = await turn.work.get(recordFiles, taking.s)
  // A roadmap itself names no profiles; one mobile stands in all of them.
  const token = claim?.mobileOf ?? file?.roadmap?.records[0]?.token ?? taking.token
  await callService(turn, taking.s, { kind: 'open', token })
}

/** Takes what the service says of the profile: the right number brings everything to this account. */
export async function takeOver(turn: Turn, taking: Taking, outcome: OutcomeOf<'open'>): Promise<void> {
  const { t, account } = turn
  const { mobile } = taking
  delete taking.mobile
  const claim = await claimOf(turn, taking.token)
  if (claim?.tries === undefined || claim.who !== undefined || isOthers(turn, claim)) {
    delete account.takesOver
    return tell(turn, 'invitation-used')
  }
  if (!outcome.ok) return tell(turn, 'takeover-later')
  if (claim.tries <= 0) return takeOverIsOver(turn)
  const known = parseMobile(outcome.value.profile?.mobile ?? '')
  if (!known.ok) {
    const contact = turn.deps.config.organizerContact
    return void (await turn.say({ text: t('takeover-unknown', { contact }) }))
  }
  if (known.mobile !== mobile) {
    claim.tries -= 1
    if (claim.tries === 0) return takeOverIsOver(turn)
    return void (await turn.say({ text: t('takeover-wrong', { tries: claim.tries }) }))
  }
  delete account.takesOver
  await take(turn, taking, claim)
}

async function take(turn: Turn, { s, token }: Taking, claim: TokenClaim): Promise<void> {
  const { who, account, work } = turn
  const file = await work.get(recordFiles, s)
  if (!file) {
    // Nothing is kept of it any more: the person is known, and begins at the introduction.
    putClaim(turn, token, { before: claim.before })
    const { roadmap } = await fileOf(turn, { kind: 'record', token })
    return openInvitation(turn, { kind: roadmap ? 'roadmap' : 'record', token })
  }
  putClaim(turn, token, { who, consent: claim.consent, before: claim.before })
  for (const each of [file, ...(await recordsOf(turn, file, ({ isReleased }) => isReleased === true))]) {
    each.owner = who
    delete each.isReleased
    await takeSitting(turn, each.s)
  }
  file.chatId = account.chatId
  await endInvitations({ work, vault: turn.deps.vault, now: turn.now }, token)
  const { lastRoles } = file.roadmap ?? {}
  const last = lastRoles?.[claim.before?.at(-1) ?? '']
  if (lastRoles && last !== undefined) lastRoles[who] = last
  keepIndex(turn, file)
  await remember(turn, file)
  await tell(turn, 'takeover-done')
  await goOnWithWork(turn, file)
  await showPlace(turn, file)
}

/** What was under way was so on behalf of the account before. */
async function goOnWithWork(turn: Turn, file: RecordFile): Promise<void> {
  const { s } = file
  if (isIn(file, 'waiting')) await watchOpening(turn, file)
  if (isIn(file, 'submitting')) await postSubmission(turn, file, { isUnclear: true })
  if (isIn(file, 'submitting', 'refused')) await watchExpiry(turn, s)
  if (isIn(file, 'generating')) {
    const job = { s, onBehalf: await onBehalf(turn), phase: 'start' as const }
    generationJob.post(turn.work, s, job, { replace: true })
  }
  if (isIn(file, 'scored')) {
    turn.work.remove(owedResults, s)
    await deliver(turn, file)
  }
  for (const record of await recordsOf(turn, file, ({ owner }) => owner === turn.who))
    await goOnWithWork(turn, record)
}

/** The files of a roadmap's records that are like this. */
async function recordsOf(
  { work }: Turn,
  { roadmap }: RecordFile,
  isWanted: (record: RecordFile) => boolean,
): Promise<RecordFile[]> {
  const found: RecordFile[] = []
  for (const { s } of roadmap?.records ?? []) {
    const record = await work.get(recordFiles, s)
    if (record && isWanted(record)) found.push(record)
  }
  return found
}

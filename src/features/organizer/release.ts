import { Composer } from 'grammy'
import type { BotContext } from '../../chat/context.ts'
import { claimOf, forgetToken, putClaim } from '../../chat/files.ts'
import { endSitting, releaseSitting } from '../../chat/sitting.ts'
import type { Turn } from '../../chat/turn.ts'
import { isIn, type RecordFile } from '../../domain/record/record.ts'
import { accounts, MOBILE_TRIES, owedResults, recordFiles, talks } from '../../kept/documents.ts'
import { postEvent } from '../../mail/chat-message.ts'
import { buttons } from '../../views/buttons.ts'
import { releaseView } from '../../views/organizer-release.ts'
import { onButton } from '../on-button.ts'
import { noteAct } from './audit.ts'
import { releaseMark } from './release-mark.ts'
import { askWhichRole, givenRoleOf, isOfRoles, releaseRole } from './release-role.ts'

/** A call that is younger may still make a profile. */
const UNDER_WAY_MS = 5 * 60_000

/** Frees a claim: for the same person in another account, or for another person. */
export function releasing(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  onButton(composer, buttons.release, async ({ turn }, _, s, who?: 'same' | 'other') => {
    const role = await givenRoleOf(turn, s)
    if (role) return releaseRole(turn, role, who)
    const file = await claimedFile(turn, s)
    if (!file) return releaseMark(turn, s, who)
    if (await isOfRoles(turn, file)) return askWhichRole(turn, file)
    const { title } = file.test
    if (who === undefined)
      return void (await turn.say(releaseView(turn.t, { s: file.s, title, canBeOther: !hasProfile(file) })))
    const refusal = await refusalOf(turn, file, who)
    if (refusal) return void (await turn.say({ text: turn.t(refusal, { title }) }))
    const isKept = who === 'same' && hasProfile(file)
    await (isKept ? releaseForSame : releaseAnew)(turn, file)
    await noteAct(turn, who === 'same' ? 'release-same' : 'release-other', file.token)
    await turn.say({ text: turn.t(isKept ? 'release-same-done' : 'release-anew-done', { title }) })
  })
  return composer
}

/** What somebody has begun, or an organizer has released before; a record of a roadmap is released with it. */
async function claimedFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await turn.work.get(recordFiles, s)
  if (file?.parent) return claimedFile(turn, file.parent.s)
  return file && (file.owner !== undefined || file.isReleased || file.isLeft) ? file : undefined
}

/** Whether the service has linked a profile, as far as the stage tells. */
function hasProfile(file: RecordFile): boolean {
  if (isIn(file, 'waiting')) return file.state.draft === undefined
  return !isIn(file, 'new', 'intro', 'profile', 'code')
}

const answersWait = ({ state }: RecordFile): boolean => 'answered' in state && state.answered !== undefined

async function refusalOf(turn: Turn, file: RecordFile, who: 'same' | 'other') {
  if (who === 'other' && hasProfile(file)) return 'release-refused'
  if (who === 'same' && answersWait(file)) return 'release-answers-wait'
  const account = file.owner === undefined ? undefined : await turn.work.get(accounts, file.owner)
  const pending = account?.pending[file.s]
  const isUnderWay = pending !== undefined && turn.now - pending.at < UNDER_WAY_MS
  return isUnderWay && !hasProfile(file) ? 'release-busy' : undefined
}

/** The answers stay as they are, for whoever knows the mobile in the profile. */
async function releaseForSame(turn: Turn, file: RecordFile): Promise<void> {
  const { token, owner, roadmap } = file
  const claim = await claimOf(turn, token)
  const before = beforeOf(claim?.before, owner)
  putClaim(turn, token, { consent: claim?.consent, before, tries: MOBILE_TRIES })
  const records: string[] = []
  for (const { s } of roadmap?.records ?? []) {
    const record = await turn.work.get(recordFiles, s)
    if (!record || record.owner !== owner) continue
    records.push(s)
    await free(turn, record, owner)
  }
  tellBefore(turn, file, records)
  await free(turn, file, owner)
  delete file.chatId
}

async function free(turn: Turn, file: RecordFile, owner: string | undefined): Promise<void> {
  if (owner !== undefined) await releaseSitting(turn, file.s, owner)
  delete file.owner
  delete file.isLeft
  file.isReleased = true
}

/** Nothing of what was typed or answered is kept. */
async function releaseAnew(turn: Turn, file: RecordFile): Promise<void> {
  const { s, token, owner } = file
  const claim = await claimOf(turn, token)
  tellBefore(turn, file, [])
  putClaim(turn, token, { before: beforeOf(claim?.before, owner) })
  endSitting(turn, s)
  turn.work.remove(talks, s)
  turn.work.remove(owedResults, s)
  turn.work.remove(recordFiles, s)
  // The next one gets another `S`: no button of the account before means anything to it.
  forgetToken(turn, token)
}

/** The account that had it is told, and has nothing of it left. */
function tellBefore(turn: Turn, file: RecordFile, records: string[]): void {
  const { s, owner: who, chatId, test, typed = [] } = file
  if (who !== undefined && chatId !== undefined)
    postEvent(turn.work, { who, chatId }, s, { kind: 'released', title: test.title, typed, records })
  delete file.typed
}

const beforeOf = (before: string[] = [], owner: string | undefined): string[] =>
  owner === undefined || before.includes(owner) ? before : [...before, owner]

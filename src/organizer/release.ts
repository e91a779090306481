import { Composer } from 'grammy'
import { ownerOf } from '../dialog/access.ts'
import { endAttempt, releaseAttempt } from '../dialog/attempt.ts'
import type { TurnContext } from '../dialog/context.ts'
import { assign, forgetToken } from '../dialog/files.ts'
import { noteAct } from '../dialog/note-act.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import type { Turn } from '../dialog/turn.ts'
import { released, releasedAnew } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { onButton } from '../participant/on-button.ts'
import { postEvent } from '../queue/chat-message.ts'
import type { EventOf } from '../queue/events.ts'
import { accounts, owedResults, recordFiles, talks } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { releaseView } from '../views/organizer-release.ts'
import { inviteAgain } from './invite-again.ts'
import { notifyDone } from './release-done.ts'
import {
  askAboutRole,
  askWhichRole,
  givenRoleOf,
  isOfRoles,
  releaseRecords,
  releaseRole,
} from './release-role.ts'
import { askAboutTombstone, releaseTombstone } from './release-tombstone.ts'

/** A call that is younger may still make a profile. */
const UNDER_WAY_MS = 5 * 60_000

/** Frees a claim: for the same person in another account, or for another person. */
export function releasing(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  onButton(composer, buttons.release, async ({ turn }, _, s, who?: 'same' | 'other') => {
    if (who === undefined) return askForWhom(turn, s)
    postEvent(turn.work, { who: turn.who, chatId: turn.account.chatId }, s, { kind: 'release', for: who })
  })
  return composer
}

async function askForWhom(turn: Turn, s: string): Promise<void> {
  const role = await givenRoleOf(turn, s)
  if (role) return askAboutRole(turn, role)
  const file = await claimedFile(turn, s)
  if (!file) return askAboutTombstone(turn, s)
  if (await isOfRoles(turn, file)) return askWhichRole(turn, file)
  const { title } = file.test
  await turn.send(releaseView(turn.t, { s: file.s, title, canBeOther: !hasProfile(file) }))
}

/**
 * Releases what an organizer has pressed for. Whose it is, and whose the attempt is, change in the one commit of this
 * turn, which says nothing where it changes something: an answer that comes in between runs it again, and is kept.
 */
export async function release(turn: Turn, s: string, { for: who }: EventOf<'release'>): Promise<void> {
  if (!isOrganizer(turn)) return
  const role = await givenRoleOf(turn, s)
  if (role) return releaseRole(turn, role, who)
  const file = await claimedFile(turn, s)
  if (!file) return releaseTombstone(turn, s, who)
  // It was a role that was asked about, and its owner has taken it back since.
  if (file.s !== s) return askForWhom(turn, s)
  if (await isOfRoles(turn, file)) return askWhichRole(turn, file)
  const { title } = file.test
  const refusal = await refusalOf(turn, file, who)
  if (refusal) return void (await turn.send({ text: turn.t(refusal, { title }) }))
  const isKept = who === 'same' && hasProfile(file)
  await (isKept ? releaseForSame : releaseAnew)(turn, file, who)
  await noteAct(turn, who === 'same' ? 'release-same' : 'release-other', file.token)
  const made = who === 'same' ? await inviteAgain(turn, file) : undefined
  const word = isKept ? 'release-same-done' : made ? 'release-again-done' : 'release-anew-done'
  notifyDone(turn, s, { word, title, code: made?.code })
}

/** What somebody has begun, or an organizer has released before; a record of a roadmap is released with it. */
async function claimedFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await turn.work.get(recordFiles, s)
  if (file?.parent) return claimedFile(turn, file.parent.s)
  return file?.isBegun ? file : undefined
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
  const owner = await ownerOf(turn, file)
  const account = owner === undefined ? undefined : await turn.work.guard(accounts, owner)
  const pending = account?.pending[file.s]
  const isUnderWay = pending !== undefined && turn.now - pending.at < UNDER_WAY_MS
  return isUnderWay && !hasProfile(file) ? 'release-busy' : undefined
}

/** The answers stay as they are, for whoever knows the mobile in the profile. */
async function releaseForSame(turn: Turn, file: RecordFile): Promise<void> {
  const { s, token, roadmap } = file
  const owner = await ownerOf(turn, file)
  const records = owner === undefined ? [] : await releaseRecords(turn, roadmap?.records ?? [], owner)
  if (owner !== undefined) await releaseAttempt(turn, s, owner)
  await notifyBefore(turn, file, records)
  await assign(turn, token, released)
  await turn.work.touch(recordFiles, s)
  delete file.chatId
}

/** Nothing of what was typed or answered is kept. */
async function releaseAnew(turn: Turn, file: RecordFile, who: 'same' | 'other'): Promise<void> {
  const { s, token } = file
  await notifyBefore(turn, file, [])
  await assign(turn, token, releasedAnew, who)
  endAttempt(turn, s)
  turn.work.remove(talks, s)
  turn.work.remove(owedResults, s)
  turn.work.remove(recordFiles, s)
  // The next one gets another `S`: no button of the account before means anything to it.
  forgetToken(turn, token)
}

/** The account that had it is told, and has nothing of it left. */
async function notifyBefore(turn: Turn, file: RecordFile, records: string[]): Promise<void> {
  const { s, chatId, test, typed = [] } = file
  const who = await ownerOf(turn, file)
  if (who !== undefined && chatId !== undefined)
    postEvent(turn.work, { who, chatId }, s, { kind: 'released', title: test.title, typed, records })
  delete file.typed
}

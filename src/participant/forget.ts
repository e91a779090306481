import { Composer } from 'grammy'
import { isMine, ownerOf } from '../dialog/access.ts'
import { endAttempt, readAttempt } from '../dialog/attempt.ts'
import { onBehalf } from '../dialog/call.ts'
import { isOnAsked, type TurnContext } from '../dialog/context.ts'
import { allFiles, assign, assigneeOf, focusedFile } from '../dialog/files.ts'
import { notifyOrganizers, sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import { withdrawTyped } from '../dialog/typed.ts'
import { accountOf, consentOf, left } from '../domain/assignee.ts'
import { accountsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { allFinished, isGiven } from '../domain/roadmap.ts'
import { strike } from '../jobs/enrolment.ts'
import { endWatches, endWatchesOver } from '../jobs/watch-jobs.ts'
import { actorKind } from '../queue/actors.ts'
import {
  accounts,
  blockedDeliveries,
  epochs,
  owedResults,
  recordFiles,
  talks,
} from '../storage/documents/kinds.ts'
import { noticeBoxes } from '../storage/documents/notices.ts'
import { type OnBehalf, onBehalf as onBehalfOf } from '../storage/documents/owed-result.ts'
import { buttons } from '../views/buttons.ts'
import { forgetView, type Kept } from '../views/privacy.ts'
import { giveRecord } from './hand-over.ts'
import { endHands, giveBack, leave } from './leave-roadmap.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** `/forget`: shows what is kept and deletes it. What the service keeps only the organizer can delete. */
export function forget(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.command('forget', async ({ turn }) => {
    const files = await allFiles(turn)
    const contact = turn.deps.config.organizerContact
    await turn.ask(forgetView(turn.t, await keptOf(turn, files), { contact }))
    if (turn.account.asked !== undefined) turn.account.asksForget = turn.account.asked
  })
  onButton(composer, buttons.forget, async (ctx, _, answer) => {
    const { turn } = ctx
    const { asked, asksForget } = turn.account
    if (asked === undefined || asked !== asksForget || !isOnAsked(ctx)) {
      await ctx.toast(turn.t.plain('button-old'))
      return
    }
    await turn.disarm(asked)
    delete turn.account.asked
    delete turn.account.asksForget
    if (answer === 'no') return keepAll(turn)
    await deleteAll(turn, await allFiles(turn))
    await turn.send({ text: turn.t('forgotten', { contact: turn.deps.config.organizerContact }) })
  })
  return composer
}

/** What was asked before lost its buttons to this question, so it is asked again. */
async function keepAll(turn: Turn): Promise<void> {
  await sendText(turn, 'forget-kept-all')
  const file = await focusedFile(turn)
  if (file) await showPlace(turn, file)
}

async function keptOf(turn: Turn, files: readonly RecordFile[]): Promise<Kept> {
  const kept: Kept = { profiles: 0, attempts: 0, finished: 0, links: 0, unsent: [] }
  for (const file of files) {
    const { s, parent } = file
    const people = isIn(file, 'profile', 'code') ? file.state.draft.people : []
    const isTyped = people.some(({ name }) => name !== undefined)
    const isFinished = isIn(file, 'done', 'scored')
    const attempt = await readAttempt(turn, s)
    if (isTyped) kept.profiles += 1
    if (isFinished) kept.finished += 1
    if (!parent && !isTyped && !isFinished && !attempt) kept.links += 1
    if (!attempt) continue
    kept.attempts += 1
    if (attempt.answered === attempt.questions && !isIn(file, 'scored'))
      kept.unsent.push({ s, title: titleOf(file) })
  }
  return kept
}

/**
 * Deletes everything of this account. The raised epoch stops work that is under way from bringing anything back; a
 * claim stays as a mark without content, so that the link opens for nobody else.
 */
async function deleteAll(turn: Turn, files: readonly RecordFile[]): Promise<void> {
  const { work, who, account } = turn
  const forgotten = await onBehalf(turn)
  work.put(epochs, who, { epoch: forgotten.epoch + 1 })
  work.remove(blockedDeliveries, who)
  endWatches(
    work,
    forgotten,
    files.map(({ s }) => s),
  )
  const own = new Set<RecordFile>()
  for (const file of files) if (await isMine(turn, file)) own.add(file)
  for (const file of files) {
    const screen = account.screens[file.s]
    if (screen !== undefined) await turn.disarm(screen)
    await forgetDeliveries(turn, file)
    if (own.has(file)) await deleteFile(turn, file, forgotten, files)
    else await giveBack(turn, file)
  }
  account.items = []
  work.remove(accounts, who)
}

async function deleteFile(
  turn: Turn,
  file: RecordFile,
  forgotten: OnBehalf,
  files: readonly RecordFile[],
): Promise<void> {
  const { work, who, now, deps } = turn
  const { s, token, roadmap } = file
  await withdrawTyped(turn, file)
  endWatchesOver(work, forgotten, s, now)
  endAttempt(turn, s)
  work.remove(talks, s)
  const begunAt = consentOf(await assigneeOf(turn, token))?.at
  if (begunAt !== undefined) strike(deps, work, file, begunAt)
  await assign(turn, token, left, who)
  const parent = files.find((each) => each.s === file.parent?.s)
  // A test of a roadmap that others go on with is theirs; what is finished there stays finished.
  if (parent && (await work.get(recordFiles, parent.s))) return giveRecord(file)
  if (roadmap?.hands.some(({ assignee }) => accountOf(assignee) !== undefined)) {
    if (!allFinished(roadmap))
      await notifyOrganizers(turn, file, 'notice-roadmap-left', { title: file.test.title })
    // An invitation that nobody has accepted ends.
    await endHands(
      turn,
      roadmap.hands.filter((hand) => !isGiven(hand)),
    )
    roadmap.hands = roadmap.hands.filter(isGiven)
    delete file.chatId
    delete file.shownAs
    return leave(turn, file)
  }
  await endHands(turn, roadmap?.hands ?? [])
  work.remove(recordFiles, s)
  work.remove(owedResults, s)
}

/** What others who cannot be reached are owed, or to be told, names this account. */
async function forgetDeliveries(turn: Turn, file: RecordFile): Promise<void> {
  const { work, who, deps } = turn
  const organizers = deps.config.organizers.map((id) => deps.vault.hash('account', String(id)))
  for (const recipient of [...organizers, ...accountsOf(file, await ownerOf(turn, file))]) {
    const box = await work.get(noticeBoxes, recipient)
    if (box) box.waiting = box.waiting.filter(({ about }) => about?.who !== who)
    const kept = await work.get(blockedDeliveries, recipient)
    if (!kept) continue
    // A result is taken up on behalf of somebody else, if at all.
    kept.waiting = kept.waiting.filter(({ actor, body }) =>
      actorKind(actor) === 'notices-due'
        ? box && box.waiting.length > 0
        : onBehalfOf.safeParse(body.onBehalf).data?.who !== who,
    )
    if (kept.waiting.length === 0) work.remove(blockedDeliveries, recipient)
  }
}

import { Composer } from 'grammy'
import { expiryActor, generationActor, reminderActor, resultActor } from '../background/actors.ts'
import type { ResultJob } from '../background/deliver-result.ts'
import { accounts, epochs, recordFiles, sittingKey } from '../background/kinds.ts'
import { blockedDeliveries, owedResults } from '../background/owed-result.ts'
import type { ReminderJob } from '../background/remind.ts'
import type { ExpiryJob } from '../background/watch-expiry.ts'
import type { GenerationJob } from '../background/watch-generation.ts'
import { tellOthers } from '../dialog/board.ts'
import { onBehalf } from '../dialog/call.ts'
import { acceptedHands, allFiles, claimOf, focusedFile, putClaim, saveFile } from '../dialog/files.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import { readSitting } from '../dialog/show-question.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { allFinished, membersOf } from '../domain/roadmap.ts'
import { forgetView, type Kept } from '../views/privacy.ts'
import { type BotContext, tappedMessage } from './context.ts'

/** `/forget`: shows what is kept and deletes it. What the service keeps only the organizer can delete. */
export function forget(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('forget', async ({ turn }) => {
    const files = await allFiles(turn)
    await turn.ask(
      forgetView(turn.t, await keptOf(turn, files), { contact: turn.deps.config.organizerContact }),
    )
    if (turn.account.asked !== undefined) turn.account.asksForget = turn.account.asked
  })
  composer.callbackQuery(/^forget:(yes|no)$/, async (ctx) => {
    const { turn } = ctx
    const { asked, asksForget } = turn.account
    if (asked === undefined || asked !== asksForget || tappedMessage(ctx) !== asked) {
      await ctx.toast(turn.t.plain('button-old'))
      return
    }
    await turn.disarm(asked)
    delete turn.account.asked
    delete turn.account.asksForget
    if (ctx.match[1] === 'no') return keepAll(turn)
    await deleteAll(turn, await allFiles(turn))
    await turn.say({ text: turn.t('forgotten', { contact: turn.deps.config.organizerContact }) })
  })
  return composer
}

/** What was asked before lost its buttons to this question, so it is asked again. */
async function keepAll(turn: Turn): Promise<void> {
  await tell(turn, 'forget-kept-all')
  const file = await focusedFile(turn)
  if (file) await showPlace(turn, file)
}

async function keptOf(turn: Turn, files: readonly RecordFile[]): Promise<Kept> {
  const kept: Kept = { profiles: 0, sittings: 0, finished: 0, links: 0, unsent: [] }
  for (const { s, stage, draft, test, parent } of files) {
    const isTyped = draft?.people.some(({ name }) => name !== undefined) === true
    const isFinished = stage === 'done' || stage === 'scored'
    const sitting = await readSitting(turn, s)
    if (isTyped) kept.profiles += 1
    if (isFinished) kept.finished += 1
    if (!parent && !isTyped && !isFinished && !sitting) kept.links += 1
    if (!sitting) continue
    kept.sittings += 1
    if (sitting.answered === sitting.questions && stage !== 'scored')
      kept.unsent.push({ s, title: test.title })
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
  // What was to be recalled or warned of in some days looks now, finds another epoch, and goes.
  const reminder: ReminderJob = { onBehalf: forgotten, since: turn.now, sent: 0 }
  work.post(reminderActor(who), reminder, { replace: true })
  for (const file of files) {
    const { s, token, owner, typed } = file
    const screen = account.screens[s]
    if (screen !== undefined) await turn.disarm(screen)
    if (owner !== who) {
      await giveBack(turn, file)
      continue
    }
    await turn.deleteMessages(typed ?? [])
    const expiry: ExpiryJob = { s, onBehalf: forgotten, since: turn.now }
    work.post(expiryActor(s), expiry, { replace: true })
    work.putBytes(sittingKey(s), null)
    if (file.parent || (await claimOf(turn, token))) putClaim(turn, token, { who, forgotten: true })
    const parent = files.find((each) => each.s === file.parent?.s)
    if (parent && parent.owner !== who) {
      reopen(turn, file, parent)
    } else if (file.roadmap?.hands.some((hand) => hand.who !== undefined)) {
      if (!allFinished(file.roadmap))
        await notifyOrganizers(turn, 'notice-roadmap-left', { title: file.test.title })
      await leave(turn, withoutOwner(file))
    } else {
      work.remove(recordFiles, s)
      work.remove(owedResults, s)
    }
  }
  account.items = []
  turn.forgetAccount()
}

/** A test of somebody else's roadmap goes back to the one who began it; what is finished there stays finished. */
function reopen(turn: Turn, file: RecordFile, parent: RecordFile): void {
  const { typed: _, ...rest } = file
  saveFile(turn, { ...rest, stage: file.stage === 'done' ? 'done' : 'new', owner: parent.owner ?? '' })
}

/** The roles of somebody else's roadmap go back to the one who began it. */
async function giveBack(turn: Turn, file: RecordFile): Promise<void> {
  const { roadmap } = file
  if (!roadmap || acceptedHands(turn, file).length === 0) return
  roadmap.hands = roadmap.hands.filter((hand) => hand.who !== turn.who)
  await leave(turn, file)
}

/** The others of a roadmap go on without this account, also with what was done on its behalf. */
async function leave(turn: Turn, file: RecordFile): Promise<void> {
  delete file.roadmap?.lastRoles?.[turn.who]
  saveFile(turn, file)
  tellOthers(turn, file)
  const [member] = file.roadmap ? membersOf(file.roadmap, file.owner) : []
  if (!member) return
  const { work, deps } = turn
  const { who, chatId } = member
  const epoch = (await work.get(epochs, who))?.epoch ?? 0
  const language = (await work.get(accounts, who))?.language ?? deps.config.locale
  const job = { s: file.s, onBehalf: { who, chatId, epoch, language } }
  if (file.stage === 'generating') {
    const generation: GenerationJob = { ...job, phase: 'start' }
    work.post(generationActor(file.s), generation, { replace: true })
  }
  const isOwed = file.stage === 'scored' || file.isOwed === true
  const result: ResultJob = { ...job, isRepeat: true }
  if (isOwed) work.post(resultActor(file.s), result, { replace: true })
}

/** What the one who began has typed goes; an invitation that nobody has accepted ends. */
function withoutOwner(file: RecordFile): RecordFile {
  const { draft: _draft, sms: _sms, typed: _typed, roadmap, ...rest } = file
  if (!roadmap) return { ...rest, owner: '' }
  const { ownerChatId: _chat, ...part } = roadmap
  return {
    ...rest,
    owner: '',
    roadmap: { ...part, hands: part.hands.filter(({ who }) => who !== undefined) },
  }
}

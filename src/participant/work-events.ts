import { isMine, membersHere, titleHere } from '../dialog/access.ts'
import { endAttempt, readAttempt } from '../dialog/attempt.ts'
import { assign } from '../dialog/files.ts'
import { notifyFinished, notifyKeyTrouble, notifyOrganizers } from '../dialog/notify-organizers.ts'
import { askAbout, namedHere, sendAbout, sendText } from '../dialog/send.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { answered } from '../domain/assignee.ts'
import { roleLabel } from '../domain/record/names.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import {
  answeredElsewhere,
  answersAccepted,
  answersRefused,
  answersUnlocked,
  generated,
  generationBegun,
  generationFailed,
  generationRefused,
  move,
  profileMissed,
  delivered as wasDelivered,
} from '../domain/record/transitions.ts'
import { allFinished, roleOf } from '../domain/roadmap.ts'
import { announce } from '../jobs/announce.ts'
import { deciders, isResultDueHere, resultToOf } from '../jobs/recipients.ts'
import type { EventKind, EventOf } from '../queue/chat-message.ts'
import { accounts, owedResults } from '../storage/documents/kinds.ts'
import { raw } from '../texts/texts.ts'
import { failureView } from '../views/failure.ts'
import { failureReasons, generationSlowView } from '../views/generation.ts'
import { notifyOthers, refreshBoard, showBoard } from './board.ts'
import { checkRecord } from './check-record.ts'
import { deliver } from './deliver.ts'
import { analysed, analysisDue } from './generation.ts'
import { remindLater } from './remind.ts'
import { overtaken, showFinished, showRecordFinished } from './roadmap-records.ts'

/** What a chat does about each event of a record that it may see. */
export type EventHandlers<K extends EventKind> = {
  [Kind in K]: (ctx: UpdateContext, file: RecordFile, event: EventOf<Kind>) => Promise<unknown>
}

/** Events of submitted answers, of the analysis and of the result, and of the others in a roadmap. */
export const workEvents = {
  async 'submit-delayed'(ctx, file, { isLong }) {
    if (!isLong)
      return sendAbout(
        ctx,
        file,
        isResultDueHere(ctx.deps.config, file) ? 'submit-delayed' : 'record-delayed',
      )
    await notifyOrganizers(ctx, file, 'notice-submit', { title: file.test.title })
  },
  async submitted(ctx, file, { isUncertain }) {
    // Accepted answers count, also after a notice of trouble.
    if (!isIn(file, 'submitting', 'refused')) return
    const { account, t, deps } = ctx
    ctx.work.note('submitted')
    const uncertain = isUncertain
      ? t('submitted-uncertain', { title: await titleHere(ctx, file) })
      : undefined
    // How answers were given says nothing about a result that may come from another's answers.
    if (uncertain === undefined) await notifyFinished(ctx, file)
    else await notifyOrganizers(ctx, file, 'notice-uncertain', { title: file.test.title })
    await announce(deps, ctx.work, file, 'submitted', ctx.who)
    const { s, parent } = file
    const screen = account.screens[s]
    const { count: total } = file.state.questions
    if (parent) {
      // The notice that the test is finished has the thanks, too.
      if (screen !== undefined) ctx.takeAway(screen)
      return showRecordFinished(
        ctx,
        file,
        uncertain ?? t('record-finished', { title: await titleHere(ctx, file) }),
      )
    }
    move(file, answersAccepted)
    file.finishedAt = ctx.now
    await assign(ctx, file.token, answered)
    const isNewest = screen === account.latest
    if (uncertain !== undefined) {
      // This notice stays: no thanks replace it.
      await ctx.show(isNewest ? screen : undefined, { text: uncertain })
      delete account.screens[s]
      return deliver(ctx, file)
    }
    const isOrganizers = resultToOf(deps.config, file) === 'organizer'
    const thanks = { text: isOrganizers ? t('submitted-organizer') : t('submitted', { total }) }
    // Later messages are below it, so the thanks would not be seen there.
    if (screen !== undefined && !isNewest) ctx.takeAway(screen)
    const shown = await ctx.show(isNewest ? screen : undefined, await namedHere(ctx, file, thanks))
    if (shown !== undefined) account.screens[s] = shown
    await deliver(ctx, file)
  },
  /** The service has answers that were not sent from here: none of them is shown as this participant's. */
  async 'submitted-elsewhere'(ctx, file) {
    if (!move(file, answeredElsewhere)) return
    const { t, account } = ctx
    const { s, parent, test } = file
    const text = t('done-elsewhere', { title: await titleHere(ctx, file) })
    const notice = parent ? 'notice-test-elsewhere' : 'notice-done-elsewhere'
    await notifyOrganizers(ctx, file, notice, { title: test.title })
    endSending(ctx, file)
    if (parent) return showFinished(ctx, file, text)
    if (account.focus === s) delete account.focus
    await ctx.send({ text })
  },
  async 'submit-refused'(ctx, file, { code }) {
    if (!isIn(file, 'submitting')) return
    const { s, parent, test } = file
    endSending(ctx, file)
    const isProfile = code === 'profile' && !parent
    const isExpired = code === 'gone' && !(await readAttempt(ctx, s))
    if (isProfile || isExpired || code === 'unlocked') {
      // The answers stay; only the profile must be made again, or the answers reviewed once more.
      move(file, isProfile ? profileMissed : answersUnlocked)
      if (!isExpired) await sendAbout(ctx, file, isProfile ? 'submit-profile-again' : 'submit-once-more')
      return leadTo(ctx, file)
    }
    move(file, answersRefused)
    if (code === 'key') await notifyKeyTrouble(ctx)
    const notice = code === 'billing' ? 'notice-billing' : 'notice-submit'
    await notifyOrganizers(ctx, file, notice, { title: test.title })
    await askAbout(ctx, file, failureView(ctx.t, 'submit_refused', s))
  },
  /** The answers are deleted when the service has accepted them and the result is delivered. */
  async delivered(ctx, file, { to }) {
    const { work, account } = ctx
    const { s } = file
    const owed = await work.get(owedResults, s)
    // Parts for an account that has blocked the bot wait for its next /start.
    const isOwed = owed !== undefined && owed.parts.length > 0
    const isLater = isIn(file, 'done')
    if (!move(file, wasDelivered, { isOwed })) return
    file.deliveredAt ??= ctx.now
    if (!isOwed) {
      work.note('delivered')
      work.remove(owedResults, s)
      delete file.shownAs
    }
    if (file.roadmap) {
      // If no result comes to this chat, its board is the news.
      await (to === 'organizer' && !isOwed ? showBoard(ctx, file, { isNews: true }) : refreshBoard(ctx, file))
      await notifyOthers(ctx, file)
    }
    if (!isLater) await announce(ctx.deps, work, file, 'delivered', ctx.who)
    for (const { who } of await membersHere(ctx, file)) {
      const member = await work.get(accounts, who)
      if (member) member.hasResult = true
    }
    account.hasResult = true
    if (!isLater) {
      // The "preparing" message becomes the thanks, now that the result is there.
      const screen = account.screens[s]
      const attempt = file.roadmap || to === 'organizer' ? undefined : await readAttempt(ctx, s)
      if (screen !== undefined && attempt)
        ctx.revise(screen, { text: ctx.t('submit-sent', { total: attempt.questions }) })
      endAttempt(ctx, s)
      if (!file.roadmap) delete account.screens[s]
      if (account.focus === s) delete account.focus
    }
    const isReceived = to === 'organizer' && deciders(ctx.deps.config).length > 0
    if (isReceived && !isOwed && !file.roadmap) await sendText(ctx, 'delivered-organizer')
  },
  'board-changed': refreshBoard,
  overtaken,
  async 'role-finished'(ctx, file, { role }) {
    // The others had nothing left to do.
    if (file.roadmap && allFinished(file.roadmap)) await remindLater(ctx)
    const known = roleOf(file.roadmap, role)
    if (!known || !isIn(file, 'board', 'failed')) return refreshBoard(ctx, file)
    // The owner typed the name, so only the owner's chat shows it; all others show the role.
    const person = (await isMine(ctx, file)) ? roleLabel(known) : known.title
    const word = ctx.t('role-finished', { role: person })
    const { focus, screens } = ctx.account
    const isBusy = focus !== undefined && focus !== file.s
    if (!isBusy && screens[file.s] !== undefined) return showBoard(ctx, file, { isNews: true, word })
    // During something else it is only a message.
    await ctx.send({ text: word })
    await refreshBoard(ctx, file)
  },
  'report-due': analysisDue,
  async generating(ctx, file, { expectedMinutes }) {
    if (!move(file, generationBegun, expectedMinutes)) return
    await notifyOthers(ctx, file)
    await refreshBoard(ctx, file)
  },
  async 'generation-slow'(ctx, file) {
    if (!isIn(file, 'generating')) return
    await notifyOrganizers(ctx, file, 'notice-generation-slow', { title: file.test.title })
    await ctx.send(generationSlowView(ctx.t, resultToOf(ctx.deps.config, file)))
  },
  async 'generation-refused'(ctx, file, { code }) {
    if (!move(file, generationRefused)) return
    // The service knows better which tests are unfinished.
    if (code === 'unfinished' && file.roadmap) file.roadmap.isDoubted = true
    await notifyOthers(ctx, file)
    if (code === 'unfinished') {
      await sendText(ctx, 'generate-unfinished')
      return checkRecord(ctx, file)
    }
    const kind = code === 'billing' && { kind: code }
    if (code === 'key') await notifyKeyTrouble(ctx)
    else await notifyOrganizers(ctx, file, 'notice-refused', { title: file.test.title }, { ...kind })
    await ctx.send({ text: ctx.t('generate-refused') })
    await showBoard(ctx, file)
  },
  async 'generation-failed'(ctx, file, { errors }) {
    if (!move(file, generationFailed, errors)) return
    await notifyOthers(ctx, file)
    await announce(ctx.deps, ctx.work, file, 'failed', ctx.who)
    await notifyOrganizers(ctx, file, 'notice-analysis-failed', (t) => ({
      title: file.test.title,
      reasons: raw(failureReasons(t, errors).join('\n')),
    }))
    await showBoard(ctx, file, { isNews: true })
  },
  async generated(ctx, file) {
    // The report may have been found in another way already: it is delivered once.
    if (!file.roadmap || !move(file, generated)) return
    await analysed(ctx, file)
    await refreshBoard(ctx, file)
    await notifyOthers(ctx, file)
    await deliver(ctx, file)
  },
} satisfies Partial<EventHandlers<EventKind>>

/** The message that the answers are being sent is no longer true. */
function endSending(ctx: UpdateContext, { s }: RecordFile): void {
  const { screens } = ctx.account
  if (screens[s] !== undefined) ctx.takeAway(screens[s])
  delete screens[s]
}

import type { Composer } from 'grammy'
import { isMine, takesPart } from '../dialog/access.ts'
import { consentNow, type Minor, noteAgreement, waitingForGuardian } from '../dialog/agreement.ts'
import { focusedFile, hereAgain, visibleFile } from '../dialog/files.ts'
import { hasDeclinedApart, sendGuardianLink } from '../dialog/guardian.ts'
import { type IncomingContext, isOnAsked, onButton, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import { stopForGuardian } from '../dialog/notify-organizers.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { roleLabel } from '../domain/record/names.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { assignmentOf, roleOf } from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { nudgeFile } from '../organizer/nudge.ts'
import { buttons } from '../views/buttons.ts'
import { declinedView } from '../views/hand-over.ts'
import { childOf, showBeforeTests } from './accept-role.ts'
import { assignRole, takeBack } from './assign-role.ts'
import { notifyOthers, refreshBoard, showBoard } from './board.ts'
import { awaitAnalysis, startAnalysis } from './generation.ts'
import { confirmHandOver, isAwaitingHandOver } from './hand-over.ts'
import { showPlace } from './place.ts'

/** The buttons of a roadmap's board, its hand-overs and role assignments, and the answer of a guardian. */
export function roadmap(composer: Composer<IncomingContext>): void {
  onFileButton(composer, buttons.ready, async (incoming, file) => {
    const { ctx } = incoming
    ctx.removeButtons(tappedMessage(incoming))
    await confirmHandOver(ctx, file, isOnAsked(incoming))
    await showPlace(ctx, file)
  })
  onFileButton(composer, buttons.decline, async (incoming, file) => {
    const { ctx } = incoming
    const { account, t } = ctx
    const board = file.parent?.s
    if (board === undefined || !(await isAwaitingHandOver(ctx, file))) return showPlace(ctx, file)
    account.focus = board
    if (isOnAsked(incoming)) delete account.asked
    await ctx.show(tappedMessage(incoming), declinedView(t, { board, test: file.test.title }))
  })

  // The guardian's answer if the profile of a minor exists already, so that no dialog has asked.
  onButton(composer, buttons.guardian, async (incoming, next, answer) => {
    const { ctx } = incoming
    const file = await focusedFile(ctx)
    if (!file || isIn(file, 'profile') || !isOnAsked(incoming)) return next()
    const minor = await minorIn(ctx, file)
    const waiting = minor && (await waitingForGuardian(ctx, minor))
    if (!waiting) return next()
    if (answer === 'no') return stopForGuardian(ctx, waiting.whole, { role: minor.role })
    if (answer === 'link') return sendGuardianLink(ctx, minor)
    const { whole } = waiting
    if (await hasDeclinedApart(ctx, whole, minor.role))
      return incoming.toast(ctx.t.plain('guardian-only-apart'), true)
    waiting.note()
    const consent = consentNow(ctx, resultToOf(ctx.deps.config, whole))
    await noteAgreement(ctx, whole, { by: 'guardian', role: minor.role, consent })
    ctx.close(ctx.t('guardian-agreed'))
    leadTo(ctx, file)
  })
  const onBoard = async (ctx: UpdateContext, s: string) => {
    const file = await visibleFile(ctx, s)
    return file?.roadmap && (await takesPart(ctx, file)) ? file : undefined
  }
  const showTests = async ({ ctx }: IncomingContext, file: RecordFile, which: 'all' | 'next') => {
    // Other stages have no list of tests: the place is shown.
    if (!isIn(file, 'board', 'failed')) return showPlace(ctx, file)
    if ((await showBeforeTests(ctx, file)) === 'nothing before')
      await showBoard(ctx, file, { isUnfolded: which === 'all' })
  }
  onFileButton(composer, buttons.tests, showTests, onBoard)
  onFileButton(composer, buttons.hand, unlessWaiting(assignRole), onBoard)
  onFileButton(composer, buttons.unhand, unlessWaiting(takeBack), onBoard)
  onFileButton(composer, buttons.me, noteOwnRole, onBoard)
  onFileButton(composer, buttons.recall, recall, onBoard)
  onFileButton(composer, buttons.auto, unlessWaiting(setAuto), onBoard)
  // A running analysis is only shown.
  const generate = async ({ ctx }: IncomingContext, file: RecordFile) => {
    if (!(await startAnalysis(ctx, file))) await showPlace(ctx, file)
  }
  onFileButton(composer, buttons.generate, generate, onBoard)
}

/** While the roadmap waits for the organizer, older buttons change nothing: its place is shown. */
const unlessWaiting =
  <A extends unknown[]>(act: (ctx: UpdateContext, file: RecordFile, ...args: A) => Promise<void>) =>
  ({ ctx }: IncomingContext, file: RecordFile, ...args: A): Promise<void> =>
    isIn(file, 'waiting') ? showPlace(ctx, file) : act(ctx, file, ...args)

/** The minor for whom a guardian may be asked: a child on its own account, or the person with the phone. */
async function minorIn(ctx: UpdateContext, file: RecordFile): Promise<Minor | undefined> {
  const role = childOf(ctx, file)?.role ?? (file.guardian ? undefined : file.parent?.role)
  if (file.parent && (await isAwaitingHandOver(ctx, file))) return undefined
  return { who: ctx.who, s: file.s, role }
}

/** Notes which of the people the owner is: from now on the board says «شما». */
async function noteOwnRole(incoming: IncomingContext, file: RecordFile, role: number): Promise<void> {
  const { ctx } = incoming
  const known = roleOf(file.roadmap, role)
  const isHere = file.roadmap && known && !assignmentOf(file.roadmap, role)
  if (!file.roadmap || !isHere || !(await isMine(ctx, file))) return hereAgain(ctx)
  file.roadmap.ownerRole = role
  await ctx.show(tappedMessage(incoming), { text: ctx.t('you-are', { role: roleLabel(known) }) })
  await refreshBoard(ctx, file)
}

/** Reminds the people who are not finished, for the owner. */
async function recall({ ctx, toast }: IncomingContext, file: RecordFile): Promise<void> {
  if (!(await isMine(ctx, file))) return hereAgain(ctx)
  const { is } = await nudgeFile(ctx, file, 'participant')
  await toast(ctx.t.plain(is === 'sent' || is === 'later' ? 'recall-sent' : 'recall-not'), true)
}

/** Switches the automatic start of the analysis on or off. */
async function setAuto(ctx: UpdateContext, file: RecordFile, wish: 'on' | 'off'): Promise<void> {
  if (!file.roadmap || !(await isMine(ctx, file))) return hereAgain(ctx)
  if (wish === 'off') file.roadmap.isManual = true
  else delete file.roadmap.isManual
  await awaitAnalysis(ctx, file)
  await notifyOthers(ctx, file)
  await showBoard(ctx, file)
}

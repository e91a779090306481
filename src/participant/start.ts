import type { Composer } from 'grammy'
import { openedAssignment, takesPart } from '../dialog/access.ts'
import { testHere } from '../dialog/attempt.ts'
import { isOpening, isPending } from '../dialog/call.ts'
import { assigneeOf, focusedFile, openAgain, openFiles, parentOf, visibleFile } from '../dialog/files.ts'
import { type IncomingContext, isOnAsked, onButton, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { replaceNotice, sendOneMoment, sendText, withOtherLanguage } from '../dialog/send.ts'
import { leaveAsked, type UpdateContext } from '../dialog/update-context.ts'
import { accountOf } from '../domain/assignee.ts'
import { parsePayload } from '../domain/invitation.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { showHome } from '../organizer/home.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { type ListedTest, testsView } from '../views/tests.ts'
import type { View } from '../views/view.ts'
import { acceptRole } from './accept-role.ts'
import { checkRecord } from './check-record.ts'
import { deliverBlocked, hasResult, isServed } from './deliver.ts'
import { sendWayOn } from './here.ts'
import { begin, open } from './open-invitation.ts'
import { showPlace } from './place.ts'

/** `/start` with and without a payload, `/tests`, and the buttons of lists, introductions and waiting. */
export function start(composer: Composer<IncomingContext>): void {
  composer.command('start', async ({ ctx, match }) => {
    const payload = match.trim()
    delete ctx.account.blocked
    if (payload === '') return startAlone(ctx)
    await deliverOwed(ctx)
    await open(ctx, parsePayload(payload))
  })
  composer.command('tests', async ({ ctx }) => listTests(ctx, await listedFiles(ctx)))
  onFileButton(composer, buttons.open, ({ ctx }, file) => {
    openAgain(ctx, file)
    return showPlace(ctx, file)
  })
  onButton(composer, buttons.testsPage, async (incoming, _, page) => {
    const { ctx } = incoming
    const files = await listedFiles(ctx)
    if (files.length === 0 || !isOnAsked(incoming)) return listTests(ctx, files, page)
    const shown = await ctx.show(tappedMessage(incoming), await pageOf(ctx, files, page))
    if (shown !== undefined) ctx.account.asked = shown
  })
  onButton(composer, buttons.begin, (incoming, _, s) => beginHere(incoming.ctx, s, tappedMessage(incoming)))
  onFileButton(composer, buttons.refresh, async ({ ctx, toast }, file) => {
    openAgain(ctx, file)
    const isUnderWay = isPending(ctx, file.s)
    if (!isUnderWay && !isIn(file, 'waiting', 'new')) return showPlace(ctx, file)
    // A second check within a minute changes nothing that can be seen.
    await toast(ctx.t.plain('one-moment'))
    if (!isUnderWay) await checkRecord(ctx, file)
  })
}

/** Begins the record whose introduction this message shows. */
export async function beginHere(ctx: UpdateContext, s: string, messageId: number | undefined): Promise<void> {
  const file = await visibleFile(ctx, s)
  const code = ctx.account.invited?.[s]
  const hasAgreed = messageId === ctx.account.asked
  if (!file) {
    if (hasAgreed) leaveAsked(ctx)
    const isBegun = await ctx.work.get(recordFiles, s)
    // The invitation itself says what has become of it.
    if (isBegun && code !== undefined) return open(ctx, { kind: 'code', code }, { hasAgreed })
    return sendText(ctx, isBegun ? 'invitation-used' : 'invitation-closed')
  }
  // An older message does not begin a record again.
  if (hasAgreed) leaveAsked(ctx)
  else ctx.removeButtons(messageId)
  const hand = openedAssignment(ctx, file)
  if (hand) return acceptRole(ctx, file, hand)
  const read = file.roadmap?.hands.find((each) => each.code === code)
  const taker = accountOf(read?.assignee)
  if (hasAgreed && taker !== undefined && taker !== ctx.who) await sendText(ctx, 'invitation-used')
  // After the release of a whole, an account with one of its roles takes it over.
  const isReleased = code !== undefined && (await assigneeOf(ctx, file.token)).is === 'released'
  if (isReleased) return open(ctx, { kind: 'code', code }, { hasAgreed })
  await (file.isBegun && (await takesPart(ctx, file)) ? showPlace : begin)(ctx, file)
}

/** Delivers what is owed, then goes on with the only open record, or lists all of them. */
export async function startAlone(ctx: UpdateContext): Promise<void> {
  const isResultComing = await deliverOwed(ctx)
  if (isOrganizer(ctx)) return showHome(ctx)
  const files = await listedFiles(ctx)
  const open = files.filter((file) => !isIn(file, 'scored', 'done', 'elsewhere'))
  const [only] = open
  if (only && open.length === 1) return showPlace(ctx, only)
  if (isResultComing && open.length === 0) return
  if (files.length > 0) return listTests(ctx, files)
  if (isOpening(ctx)) return sendOneMoment(ctx)
  await replaceNotice(ctx, withOtherLanguage(ctx, { text: ctx.t('welcome') }))
}

/** Sends what is still owed, also to an account that had blocked the bot. Returns whether a result is. */
async function deliverOwed(ctx: UpdateContext): Promise<boolean> {
  const { focus } = ctx.account
  const isOwed = await deliverBlocked(ctx)
  const owed = []
  for (const file of await openFiles(ctx))
    if (isIn(file, 'scored') && !(await isServed(ctx, file))) owed.push(file)
  for (const file of owed) await showPlace(ctx, file)
  if (focus === undefined) delete ctx.account.focus
  else ctx.account.focus = focus
  return isOwed || owed.length > 0
}

/** Where the result is: the list, if there is one; until then its receiver, if that is not this chat. */
export async function showResults(ctx: UpdateContext): Promise<void> {
  const { t, account, deps } = ctx
  const files = await listedFiles(ctx)
  if (files.length === 0) return listTests(ctx, files)
  for (const each of files) if (await hasResult(ctx, each)) return listTests(ctx, files)
  const file = await focusedFile(ctx)
  const whole = file && ((await parentOf(ctx, file)) ?? file)
  const resultTo = whole?.resultTo ?? account.invitedTo?.[whole?.s ?? ''] ?? deps.config.resultTo
  // A record that is scored, or finished elsewhere, has a place that says it.
  if (resultTo !== 'organizer')
    return sendWayOn(ctx, file && isIn(file, 'scored', 'elsewhere') ? undefined : t('result-not-yet'))
  await sendWayOn(ctx, t(whole?.roadmap ? 'roadmap-result-organizer' : 'intro-result-organizer'))
}

/** The records that this account has begun or finished; the tests of a package give no result. */
const listedFiles = async (ctx: UpdateContext): Promise<RecordFile[]> =>
  (await openFiles(ctx)).filter((file) => !file.parent || !isIn(file, 'done'))

async function listTests(ctx: UpdateContext, files: readonly RecordFile[], page = 1): Promise<void> {
  const [theirs] = files.length === 0 ? await openFiles(ctx) : []
  if (theirs) return showPlace(ctx, theirs)
  await replaceNotice(
    ctx,
    files.length === 0 ? { text: ctx.t('tests-none') } : await pageOf(ctx, files, page),
  )
}

async function pageOf(ctx: UpdateContext, files: readonly RecordFile[], page: number): Promise<View> {
  const listed: ListedTest[] = []
  for (const file of files) {
    const done = (await hasResult(ctx, file)) && ({ standing: { at: 'done' } } as const)
    listed.push({ ...(await testHere(ctx, file)), caseNumber: file.caseNumber, ...done })
  }
  return testsView(ctx.t, listed, page)
}

import type { Composer } from 'grammy'
import { takesPart } from '../dialog/access.ts'
import { consentNow, type Minor, noteAgreement, waitingForGuardian } from '../dialog/agreement.ts'
import { onBehalf } from '../dialog/call.ts'
import { focusedFile, visibleFile } from '../dialog/files.ts'
import { sendGuardianLink } from '../dialog/guardian.ts'
import { type IncomingContext, isOnAsked, onButton, onFileButton, tappedMessage } from '../dialog/incoming.ts'
import { stopForGuardian } from '../dialog/notify.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { generationAsked, move } from '../domain/record/transitions.ts'
import { allFinished } from '../domain/roadmap.ts'
import { generationJob } from '../jobs/generation.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { buttons } from '../views/buttons.ts'
import { declinedView } from '../views/hand-over.ts'
import { childOf, showBeforeTests } from './accept-role.ts'
import { assignRole, takeBack } from './assign-role.ts'
import { notifyOthers, showBoard } from './board.ts'
import { confirmHandOver, isAwaitingHandOver } from './hand-over.ts'
import { showPlace } from './place.ts'

/** The buttons of a roadmap's board, its curtain and its hand-over, and the answer of a guardian. */
export function roadmap(composer: Composer<IncomingContext>): void {
  onFileButton(composer, buttons.ready, async (incoming, file) => {
    const { ctx } = incoming
    await ctx.disarm(tappedMessage(incoming))
    await confirmHandOver(ctx, file, isOnAsked(incoming))
    await showPlace(ctx, file)
  })
  onFileButton(composer, buttons.decline, async (incoming, file) => {
    const { ctx } = incoming
    const { account, deps, t } = ctx
    const board = file.parent?.s
    if (board === undefined || !(await isAwaitingHandOver(ctx, file))) return showPlace(ctx, file)
    account.focus = board
    if (isOnAsked(incoming)) delete account.asked
    const contact = deps.config.organizerContact
    await ctx.show(tappedMessage(incoming), declinedView(t, { board, test: file.test.title, contact }))
  })

  // The guardian's answer where the profile of a minor exists already, so that no dialog has asked.
  onButton(composer, buttons.guardian, async (incoming, next, answer) => {
    const { ctx } = incoming
    const file = await focusedFile(ctx)
    if (!file || isIn(file, 'profile') || !isOnAsked(incoming)) return next()
    const minor = await minorIn(ctx, file)
    const waiting = minor && (await waitingForGuardian(ctx, minor))
    if (!waiting) return next()
    if (answer === 'no') return stopForGuardian(ctx, file)
    if (answer === 'link') return sendGuardianLink(ctx, minor)
    waiting.note()
    const { whole } = waiting
    const consent = consentNow(ctx, resultToOf(ctx.deps.config, whole))
    await noteAgreement(ctx, whole, { by: 'guardian', role: minor.role, consent })
    await ctx.close(ctx.t('guardian-agreed'))
    leadTo(ctx, file)
  })
  const onBoard = async (ctx: UpdateContext, s: string) => {
    const file = await visibleFile(ctx, s)
    return file?.roadmap && (await takesPart(ctx, file)) ? file : undefined
  }
  const showTests = async ({ ctx }: IncomingContext, file: RecordFile, which: 'all' | 'next') => {
    // Of another stage there is no list of tests: its place is shown.
    if (!isIn(file, 'board', 'failed')) return showPlace(ctx, file)
    if ((await showBeforeTests(ctx, file)) === 'nothing before')
      await showBoard(ctx, file, { isUnfolded: which === 'all' })
  }
  onFileButton(composer, buttons.tests, showTests, onBoard)
  onFileButton(composer, buttons.hand, ({ ctx }, file, role) => assignRole(ctx, file, role), onBoard)
  onFileButton(composer, buttons.unhand, ({ ctx }, file, role) => takeBack(ctx, file, role), onBoard)
  onFileButton(composer, buttons.generate, ({ ctx }, file) => generate(ctx, file), onBoard)
}

/** For whom a guardian may be asked here: a child on its own account, or whoever has the phone now. */
async function minorIn(ctx: UpdateContext, file: RecordFile): Promise<Minor | undefined> {
  const role = childOf(ctx, file)?.role ?? file.parent?.role
  if (file.parent && (await isAwaitingHandOver(ctx, file))) return undefined
  return { who: ctx.who, s: file.s, role }
}

/** Starts the analysis, or starts it again; one that is under way is only shown. */
async function generate(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const isReady = file.roadmap && allFinished(file.roadmap)
  if (!isReady || !move(file, generationAsked)) return showPlace(ctx, file)
  const job = { s: file.s, onBehalf: await onBehalf(ctx), phase: 'start' } as const
  generationJob.post(ctx.work, file.s, job, { replace: true })
  await notifyOthers(ctx, file)
  await showBoard(ctx, file)
}

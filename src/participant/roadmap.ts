import { Composer } from 'grammy'
import { takesPart } from '../dialog/access.ts'
import { onBehalf } from '../dialog/call.ts'
import { visibleFile } from '../dialog/files.ts'
import { type IncomingContext, isOnAsked, tappedMessage } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { generationAsked, move } from '../domain/record/transitions.ts'
import { allFinished } from '../domain/roadmap.ts'
import { generationJob } from '../jobs/generation.ts'
import { buttons } from '../views/buttons.ts'
import { declinedView } from '../views/hand-over.ts'
import { showBeforeTests } from './accept-role.ts'
import { assignRole, takeBack } from './assign-role.ts'
import { showBoard } from './board.ts'
import { notifyOthers } from './board-news.ts'
import { confirmHandOver, isAwaitingHandOver } from './hand-over.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** The buttons of a roadmap's board, its curtain and its hand-over. */
export function roadmap(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()

  onButton(composer, buttons.ready, async (incoming, next, s) => {
    const { ctx } = incoming
    const file = await visibleFile(ctx, s)
    if (!file?.parent) return next()
    const curtain = tappedMessage(incoming)
    if (curtain !== undefined) await ctx.disarm(curtain)
    await confirmHandOver(ctx, file, isOnAsked(incoming))
    await showPlace(ctx, file)
  })
  onButton(composer, buttons.decline, async (incoming, next, s) => {
    const { ctx } = incoming
    const file = await visibleFile(ctx, s)
    if (!file?.parent) return next()
    if (!(await isAwaitingHandOver(ctx, file))) return showPlace(ctx, file)
    const { account, deps, t } = ctx
    const { s: board } = file.parent
    account.focus = board
    if (isOnAsked(incoming)) delete account.asked
    const contact = deps.config.organizerContact
    await ctx.show(tappedMessage(incoming), declinedView(t, { board, test: file.test.title, contact }))
  })

  onButton(composer, buttons.tests, async ({ ctx }, next, s, which) => {
    const file = await boardFile(ctx, s)
    // Of another stage there is no list of tests: its place is shown.
    if (!file) return next()
    if (!isIn(file, 'board', 'failed')) return showPlace(ctx, file)
    if ((await showBeforeTests(ctx, file)) === 'nothing before')
      await showBoard(ctx, file, { isUnfolded: which === 'all' })
  })

  onButton(composer, buttons.hand, async ({ ctx }, next, s, role) => {
    const file = await boardFile(ctx, s)
    await (file ? assignRole(ctx, file, role) : next())
  })
  onButton(composer, buttons.unhand, async ({ ctx }, next, s, role) => {
    const file = await boardFile(ctx, s)
    await (file ? takeBack(ctx, file, role) : next())
  })

  onButton(composer, buttons.generate, async ({ ctx }, next, s) => {
    const file = await boardFile(ctx, s)
    await (file ? generate(ctx, file) : next())
  })
  return composer
}

async function boardFile(ctx: UpdateContext, s: string): Promise<RecordFile | undefined> {
  const file = await visibleFile(ctx, s)
  return file?.roadmap && (await takesPart(ctx, file)) ? file : undefined
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

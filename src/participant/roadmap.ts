import { Composer } from 'grammy'
import { takesPart } from '../dialog/access.ts'
import { onBehalf } from '../dialog/call.ts'
import { isOnAsked, type TurnContext, tappedMessage } from '../dialog/context.ts'
import { visibleFile } from '../dialog/files.ts'
import type { Turn } from '../dialog/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { generationAsked, move } from '../domain/record/transitions.ts'
import { allFinished } from '../domain/roadmap.ts'
import { generationJob } from '../jobs/generation.ts'
import { buttons } from '../views/buttons.ts'
import { declinedView } from '../views/curtain.ts'
import { showBeforeTests } from './accept-role.ts'
import { showBoard } from './board.ts'
import { notifyOthers } from './board-news.ts'
import { isBehindCurtain, raiseCurtain } from './curtain.ts'
import { handOver, takeBack } from './hand-over.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** The buttons of a roadmap's board, its curtain and its hand-over. */
export function roadmap(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()

  onButton(composer, buttons.ready, async (ctx, next, s) => {
    const { turn } = ctx
    const file = await visibleFile(turn, s)
    if (!file?.parent) return next()
    const curtain = tappedMessage(ctx)
    if (curtain !== undefined) await turn.disarm(curtain)
    await raiseCurtain(turn, file, isOnAsked(ctx))
    await showPlace(turn, file)
  })
  onButton(composer, buttons.decline, async (ctx, next, s) => {
    const { turn } = ctx
    const file = await visibleFile(turn, s)
    if (!file?.parent) return next()
    if (!(await isBehindCurtain(turn, file))) return showPlace(turn, file)
    const { account, deps, t } = turn
    const { s: board } = file.parent
    account.focus = board
    if (isOnAsked(ctx)) delete account.asked
    const contact = deps.config.organizerContact
    await turn.show(tappedMessage(ctx), declinedView(t, { board, test: file.test.title, contact }))
  })

  onButton(composer, buttons.tests, async ({ turn }, next, s, which) => {
    const file = await boardFile(turn, s)
    // Of another stage there is no list of tests: its place is shown.
    if (!file) return next()
    if (!isIn(file, 'board', 'failed')) return showPlace(turn, file)
    if ((await showBeforeTests(turn, file)) === 'nothing before')
      await showBoard(turn, file, { isUnfolded: which === 'all' })
  })

  onButton(composer, buttons.hand, async ({ turn }, next, s, role) => {
    const file = await boardFile(turn, s)
    await (file ? handOver(turn, file, role) : next())
  })
  onButton(composer, buttons.unhand, async ({ turn }, next, s, role) => {
    const file = await boardFile(turn, s)
    await (file ? takeBack(turn, file, role) : next())
  })

  onButton(composer, buttons.generate, async ({ turn }, next, s) => {
    const file = await boardFile(turn, s)
    await (file ? generate(turn, file) : next())
  })
  return composer
}

async function boardFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await visibleFile(turn, s)
  return file?.roadmap && (await takesPart(turn, file)) ? file : undefined
}

/** Starts the analysis, or starts it again; one that is under way is only shown. */
async function generate(turn: Turn, file: RecordFile): Promise<void> {
  const isReady = file.roadmap && allFinished(file.roadmap)
  if (!isReady || !move(file, generationAsked)) return showPlace(turn, file)
  const job = { s: file.s, onBehalf: await onBehalf(turn), phase: 'start' } as const
  generationJob.post(turn.work, file.s, job, { replace: true })
  await notifyOthers(turn, file)
  await showBoard(turn, file)
}

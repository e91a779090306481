import { Composer } from 'grammy'
import { takesPart } from '../chat/access.ts'
import { onBehalf } from '../chat/call.ts'
import { type BotContext, tappedMessage } from '../chat/context.ts'
import { visibleFile } from '../chat/files.ts'
import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { generationAsked, move } from '../domain/record/transitions.ts'
import { allFinished } from '../domain/roadmap.ts'
import { generationJob } from '../jobs/generation.ts'
import { buttons } from '../views/buttons.ts'
import { showBoard } from './board.ts'
import { tellOthers } from './board-news.ts'
import { raiseCurtain } from './curtain.ts'
import { handOver, takeBack } from './hand-over.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** The buttons of a roadmap's board, its curtain and its hand-over. */
export function roadmap(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  onButton(composer, buttons.ready, async (ctx, next, s) => {
    const { turn } = ctx
    const file = await visibleFile(turn, s)
    if (!file?.parent) return next()
    const curtain = tappedMessage(ctx)
    if (curtain !== undefined) await turn.disarm(curtain)
    await raiseCurtain(turn, file)
    await showPlace(turn, file)
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
  return file?.roadmap && takesPart(turn, file) ? file : undefined
}

/** Starts the analysis, or starts it again; one that is under way is only shown. */
async function generate(turn: Turn, file: RecordFile): Promise<void> {
  const isReady = file.roadmap && allFinished(file.roadmap)
  if (!isReady || !move(file, generationAsked)) return showPlace(turn, file)
  const job = { s: file.s, onBehalf: await onBehalf(turn), phase: 'start' } as const
  generationJob.post(turn.work, file.s, job, { replace: true })
  tellOthers(turn, file)
  await showBoard(turn, file)
}

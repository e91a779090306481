import { Composer } from 'grammy'
import { generationActor } from '../background/actors.ts'
import type { GenerationJob } from '../background/watch-generation.ts'
import { showBoard, tellOthers } from '../dialog/board.ts'
import { onBehalf } from '../dialog/call.ts'
import { raiseCurtain } from '../dialog/curtain.ts'
import { saveFile, takesPart, visibleFile } from '../dialog/files.ts'
import { handOver, takeBack } from '../dialog/hand-over.ts'
import { showPlace } from '../dialog/place.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { allFinished } from '../domain/roadmap.ts'
import { type BotContext, buttonOf, tappedMessage } from './context.ts'

/** The buttons of a roadmap's board, its curtain and its hand-over. */
export function roadmap(): Composer<BotContext> {
  const composer = new Composer<BotContext>()

  composer.callbackQuery(buttonOf('ready'), async (ctx, next) => {
    const { turn } = ctx
    const file = await visibleFile(turn, ctx.match[1] ?? '')
    if (!file?.parent) return next()
    const curtain = tappedMessage(ctx)
    if (curtain !== undefined) await turn.disarm(curtain)
    await raiseCurtain(turn, file)
    await showPlace(turn, file)
  })

  composer.callbackQuery(/^(hand|unhand):([\w-]{1,16}):(\d{1,9})$/, async (ctx, next) => {
    const { turn } = ctx
    const file = await boardFile(turn, ctx.match[2] ?? '')
    if (!file) return next()
    const act = ctx.match[1] === 'hand' ? handOver : takeBack
    await act(turn, file, Number(ctx.match[3]))
  })

  composer.callbackQuery(buttonOf('generate'), async (ctx, next) => {
    const { turn } = ctx
    const file = await boardFile(turn, ctx.match[1] ?? '')
    if (!file) return next()
    await generate(turn, file)
  })
  return composer
}

async function boardFile(turn: Turn, s: string): Promise<RecordFile | undefined> {
  const file = await visibleFile(turn, s)
  return file?.roadmap && takesPart(turn, file) ? file : undefined
}

/** Starts the analysis, or starts it again; one that is under way is only shown. */
async function generate(turn: Turn, file: RecordFile): Promise<void> {
  const isReady = file.stage === 'board' || file.stage === 'failed'
  if (!isReady || !file.roadmap || !allFinished(file.roadmap)) return showPlace(turn, file)
  file.stage = 'generating'
  delete file.roadmap.failure
  saveFile(turn, file)
  const job: GenerationJob = { s: file.s, onBehalf: await onBehalf(turn), phase: 'start' }
  turn.work.post(generationActor(file.s), job, { replace: true })
  tellOthers(turn, file)
  await showBoard(turn, file)
}

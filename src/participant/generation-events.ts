import { isMine } from '../dialog/access.ts'
import { assign } from '../dialog/files.ts'
import { notifyKeyTrouble, notifyOrganizers, sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { answered } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import {
  generated,
  generationBegun,
  generationFailed,
  generationRefused,
  move,
} from '../domain/record/transitions.ts'
import { roleLabel } from '../domain/record/whose.ts'
import { announce } from '../jobs/announce.ts'
import type { GenerationRefusal } from '../queue/events.ts'
import { raw } from '../texts/html.ts'
import { failureReasons } from '../views/generation.ts'
import { refreshBoard, showBoard } from './board.ts'
import { notifyOthers } from './board-news.ts'
import { checkRecord } from './check-record.ts'
import { deliver } from './deliver.ts'
import type { EventHandlers } from './event-handlers.ts'

/** What the analysis, or another account of the same roadmap, has to tell. */
export const generationEvents: EventHandlers<
  | 'board-changed'
  | 'role-finished'
  | 'generating'
  | 'generation-slow'
  | 'generation-refused'
  | 'generation-failed'
  | 'generated'
> = {
  async 'board-changed'(ctx, file) {
    if (file.roadmap) await refreshBoard(ctx, file)
  },
  async 'role-finished'(ctx, file, { role }) {
    const known = file.roadmap?.roles.find(({ id }) => id === role)
    if (!known || !isIn(file, 'board', 'failed')) return refreshBoard(ctx, file)
    // The name was typed where the roadmap was begun, and is said there; everywhere else the role says whose it is.
    const person = (await isMine(ctx, file)) ? roleLabel(known) : known.title
    const word = ctx.t('role-finished', { role: person })
    const { focus, screens } = ctx.account
    const isBusy = focus !== undefined && focus !== file.s
    if (!isBusy && screens[file.s] !== undefined) return showBoard(ctx, file, { anew: true, word })
    // In the midst of something else it is only said.
    await ctx.send({ text: word })
    await refreshBoard(ctx, file)
  },
  async generating(ctx, file, { expectedMinutes }) {
    if (!move(file, generationBegun, expectedMinutes)) return
    await notifyOthers(ctx, file)
    await refreshBoard(ctx, file)
  },
  async 'generation-slow'(ctx, file) {
    if (!isIn(file, 'generating')) return
    await notifyOrganizers(ctx, file, 'notice-generation-slow', { title: file.test.title })
    await sendText(ctx, 'generation-slow')
  },
  async 'generation-refused'(ctx, file, { code }) {
    if (move(file, generationRefused)) await refused(ctx, file, code)
  },
  async 'generation-failed'(ctx, file, { errors }) {
    if (!move(file, generationFailed, errors)) return
    await notifyOthers(ctx, file)
    announce(ctx.deps, ctx.work, file, 'failed')
    await notifyOrganizers(ctx, file, 'notice-analysis-failed', (t) => ({
      title: file.test.title,
      reasons: raw(failureReasons(t, errors).join('\n')),
    }))
    await showBoard(ctx, file, { anew: true })
  },
  async generated(ctx, file) {
    // It may have been seen already in another way: a report is delivered once.
    if (!file.roadmap || !move(file, generated)) return
    file.finishedAt = ctx.now
    await assign(ctx, file.token, answered)
    await refreshBoard(ctx, file)
    await notifyOthers(ctx, file)
    announce(ctx.deps, ctx.work, file, 'analysed')
    await notifyOrganizers(ctx, file, 'notice-analysis-ready', { title: file.test.title })
    await deliver(ctx, file)
  },
}

async function refused(ctx: UpdateContext, file: RecordFile, code: GenerationRefusal): Promise<void> {
  // Here the service knows better.
  if (code === 'unfinished') for (const record of file.roadmap?.records ?? []) record.isFinished = false
  await notifyOthers(ctx, file)
  if (code === 'unfinished') {
    await sendText(ctx, 'generate-unfinished')
    return checkRecord(ctx, file)
  }
  const kind = code === 'billing' && { kind: code }
  if (code === 'key') await notifyKeyTrouble(ctx)
  else await notifyOrganizers(ctx, file, 'notice-refused', { title: file.test.title }, { ...kind })
  await ctx.send({ text: ctx.t('generate-refused', { contact: ctx.deps.config.organizerContact }) })
  await showBoard(ctx, file)
}

import { isMine } from '../dialog/access.ts'
import { assign } from '../dialog/files.ts'
import { notifyKeyTrouble, notifyOrganizers, sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
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
  async 'board-changed'(turn, file) {
    if (file.roadmap) await refreshBoard(turn, file)
  },
  async 'role-finished'(turn, file, { role }) {
    const known = file.roadmap?.roles.find(({ id }) => id === role)
    if (!known || !isIn(file, 'board', 'failed')) return refreshBoard(turn, file)
    // The name was typed where the roadmap was begun, and is said there; everywhere else the role says whose it is.
    const person = (await isMine(turn, file)) ? roleLabel(known) : known.title
    const word = turn.t('role-finished', { role: person })
    const { focus, screens } = turn.account
    const isBusy = focus !== undefined && focus !== file.s
    if (!isBusy && screens[file.s] !== undefined) return showBoard(turn, file, { anew: true, word })
    // In the midst of something else it is only said.
    await turn.send({ text: word })
    await refreshBoard(turn, file)
  },
  async generating(turn, file, { expectedMinutes }) {
    if (!move(file, generationBegun, expectedMinutes)) return
    await notifyOthers(turn, file)
    await refreshBoard(turn, file)
  },
  async 'generation-slow'(turn, file) {
    if (!isIn(file, 'generating')) return
    await notifyOrganizers(turn, file, 'notice-generation-slow', { title: file.test.title })
    await sendText(turn, 'generation-slow')
  },
  async 'generation-refused'(turn, file, { code }) {
    if (move(file, generationRefused)) await refused(turn, file, code)
  },
  async 'generation-failed'(turn, file, { errors }) {
    if (!move(file, generationFailed, errors)) return
    await notifyOthers(turn, file)
    announce(turn.deps, turn.work, file, 'failed')
    await notifyOrganizers(turn, file, 'notice-analysis-failed', (t) => ({
      title: file.test.title,
      reasons: raw(failureReasons(t, errors).join('\n')),
    }))
    await showBoard(turn, file, { anew: true })
  },
  async generated(turn, file) {
    // It may have been seen already in another way: a report is delivered once.
    if (!file.roadmap || !move(file, generated)) return
    file.finishedAt = turn.now
    await assign(turn, file.token, answered)
    await refreshBoard(turn, file)
    await notifyOthers(turn, file)
    announce(turn.deps, turn.work, file, 'analysed')
    await notifyOrganizers(turn, file, 'notice-analysis-ready', { title: file.test.title })
    await deliver(turn, file)
  },
}

async function refused(turn: Turn, file: RecordFile, code: GenerationRefusal): Promise<void> {
  // Here the service knows better.
  if (code === 'unfinished') for (const record of file.roadmap?.records ?? []) record.isFinished = false
  await notifyOthers(turn, file)
  if (code === 'unfinished') {
    await sendText(turn, 'generate-unfinished')
    return checkRecord(turn, file)
  }
  const kind = code === 'billing' && { kind: code }
  if (code === 'key') await notifyKeyTrouble(turn)
  else await notifyOrganizers(turn, file, 'notice-refused', { title: file.test.title }, { ...kind })
  await turn.send({ text: turn.t('generate-refused', { contact: turn.deps.config.organizerContact }) })
  await showBoard(turn, file)
}

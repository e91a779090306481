import type { ChatEvent, GenerationRefusal } from '../background/actors.ts'
import { refreshBoard, showBoard, tellOthers } from '../dialog/board.ts'
import { deliver } from '../dialog/deliver.ts'
import { saveFile } from '../dialog/files.ts'
import { look } from '../dialog/introduce.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import { tell } from '../dialog/say.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record-file.ts'

/** Takes what the analysis, or another account of the same roadmap, has to tell. */
export async function takeRoadmapEvent(turn: Turn, file: RecordFile, event: ChatEvent): Promise<void> {
  const { roadmap } = file
  if (!roadmap) return
  switch (event.kind) {
    case 'board-changed':
      return refreshBoard(turn, file)
    case 'generating':
      if (file.stage !== 'generating') return
      if (event.expectedMinutes) roadmap.expectedMinutes = event.expectedMinutes
      saveFile(turn, file)
      tellOthers(turn, file)
      return refreshBoard(turn, file)
    case 'generation-slow':
      if (file.stage !== 'generating') return
      await notifyOrganizers(turn, 'notice-generation-slow', { title: file.test.title })
      return tell(turn, 'generation-slow')
    case 'generation-refused':
      if (file.stage !== 'generating') return
      return refused(turn, file, event.code)
    case 'generation-failed':
      if (file.stage !== 'generating') return
      file.stage = 'failed'
      roadmap.failure = event.errors
      saveFile(turn, file)
      tellOthers(turn, file)
      return showBoard(turn, file, { anew: true })
    case 'generated':
      // It may have been seen already in another way: a report is delivered once.
      if (file.stage === 'scored' || file.stage === 'done') return
      file.stage = 'scored'
      await refreshBoard(turn, file)
      tellOthers(turn, file)
      return deliver(turn, file)
  }
}

async function refused(turn: Turn, file: RecordFile, code: GenerationRefusal): Promise<void> {
  file.stage = 'board'
  // Here the service knows better.
  if (code === 'unfinished') for (const record of file.roadmap?.records ?? []) record.isFinished = false
  saveFile(turn, file)
  tellOthers(turn, file)
  if (code === 'unfinished') {
    await tell(turn, 'generate-unfinished')
    return look(turn, file)
  }
  await notifyOrganizers(turn, 'notice-refused', { title: file.test.title })
  await turn.say({ text: turn.t('generate-refused', { contact: turn.deps.config.organizerContact }) })
  await showBoard(turn, file)
}

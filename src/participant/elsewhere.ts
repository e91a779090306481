import { notifyOrganizers } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { showFinished } from './nested-record.ts'

/** What was answered here was finished elsewhere with other answers: participant and organizers are told so. */
export async function foundElsewhere(turn: Turn, file: RecordFile): Promise<void> {
  const { t, account, deps } = turn
  const { s, parent, test } = file
  const text = t('done-elsewhere', { title: titleOf(file), contact: deps.config.organizerContact })
  await notifyOrganizers(turn, file, 'notice-done-elsewhere', { title: test.title })
  const screen = account.screens[s]
  // What said that the answers are on their way says so no more.
  if (screen !== undefined) await turn.takeAway(screen)
  if (parent) return showFinished(turn, file, text)
  delete account.screens[s]
  if (account.focus === s) delete account.focus
  await turn.send({ text })
}

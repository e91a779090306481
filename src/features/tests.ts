import { Composer } from 'grammy'
import type { BotContext } from '../chat/context.ts'
import { openFiles, visibleFile } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import { readSitting } from '../chat/sitting.ts'
import type { Turn } from '../chat/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { titleFor } from '../domain/record/whose.ts'
import { buttons } from '../views/buttons.ts'
import { type ListedTest, testsView } from '../views/tests.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** `/tests` and its buttons: what was begun, what is ready. */
export function tests(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('tests', async (ctx) => listTests(ctx.turn, await openFiles(ctx.turn)))
  onButton(composer, buttons.open, async ({ turn }, next, s) => {
    const file = await visibleFile(turn, s)
    await (file ? showPlace(turn, file) : next())
  })
  return composer
}

/** Shows what this account has begun and what is ready. */
export async function listTests(turn: Turn, files: readonly RecordFile[]): Promise<void> {
  if (files.length === 0) return tell(turn, 'tests-none')
  const listed: ListedTest[] = []
  for (const file of files) {
    const { s, state } = file
    const sitting = isIn(file, 'questions') ? await readSitting(turn, s) : undefined
    const progress = sitting && { answered: sitting.answered, total: sitting.questions }
    listed.push({ s, state, title: titleFor(file, turn.who), number: file.caseNumber, ...progress })
  }
  await turn.ask(testsView(turn.t, listed))
}

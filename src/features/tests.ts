import { Composer } from 'grammy'
import { openFiles, visibleFile } from '../dialog/files.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import { readSitting } from '../dialog/show-question.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { type ListedTest, testsView } from '../views/tests.ts'
import { type BotContext, buttonOf } from './context.ts'

/** `/tests` and its buttons: what was begun, what is ready. */
export function tests(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('tests', async (ctx) => listTests(ctx.turn, await openFiles(ctx.turn)))
  composer.callbackQuery(buttonOf('open'), async (ctx, next) => {
    const file = await visibleFile(ctx.turn, ctx.match[1] ?? '')
    if (!file) return next()
    await showPlace(ctx.turn, file)
  })
  return composer
}

/** Shows what this account has begun and what is ready. */
export async function listTests(turn: Turn, files: readonly RecordFile[]): Promise<void> {
  if (files.length === 0) return tell(turn, 'tests-none')
  const listed: ListedTest[] = []
  for (const { s, stage, test, ofRoadmap } of files) {
    const sitting = stage === 'questions' ? await readSitting(turn, s) : undefined
    listed.push({
      s,
      stage,
      title: test.title,
      ofRoadmap: ofRoadmap === true,
      ...(sitting ? { answered: sitting.answered, total: sitting.questions } : {}),
    })
  }
  await turn.ask(testsView(turn.t, listed))
}

import { Composer } from 'grammy'
import { titleHere } from '../dialog/access.ts'
import { readStanding } from '../dialog/attempt.ts'
import { isOnAsked, type TurnContext, tappedMessage } from '../dialog/context.ts'
import { openFiles, visibleFile } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { type ListedTest, testsView } from '../views/tests.ts'
import type { View } from '../views/view.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** `/tests` and its buttons: what was begun, what is ready. */
export function tests(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.command('tests', async (ctx) => listTests(ctx.turn, await openFiles(ctx.turn)))
  onButton(composer, buttons.open, async ({ turn }, next, s) => {
    const file = await visibleFile(turn, s)
    await (file ? showPlace(turn, file) : next())
  })
  onButton(composer, buttons.testsPage, async (ctx, _, page) => {
    const { turn } = ctx
    const files = await openFiles(turn)
    if (files.length === 0 || !isOnAsked(ctx)) return listTests(turn, files, page)
    const shown = await turn.show(tappedMessage(ctx), await pageOf(turn, files, page))
    if (shown !== undefined) turn.account.asked = shown
  })
  return composer
}

/** Shows what this account has begun and what is ready. */
export async function listTests(turn: Turn, files: readonly RecordFile[], page = 1): Promise<void> {
  if (files.length === 0) return sendText(turn, 'tests-none')
  await turn.ask(await pageOf(turn, files, page))
}

async function pageOf(turn: Turn, files: readonly RecordFile[], page: number): Promise<View> {
  const listed: ListedTest[] = []
  for (const file of files) {
    const { s, caseNumber } = file
    listed.push({
      s,
      standing: await readStanding(turn, file),
      title: await titleHere(turn, file),
      caseNumber,
    })
  }
  return testsView(turn.t, listed, page)
}

import { Composer } from 'grammy'
import { titleHere } from '../dialog/access.ts'
import { readStanding } from '../dialog/attempt.ts'
import { openFiles, visibleFile } from '../dialog/files.ts'
import { type IncomingContext, isOnAsked, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { type ListedTest, testsView } from '../views/tests.ts'
import type { View } from '../views/view.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** `/tests` and its buttons: what was begun, what is ready. */
export function tests(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('tests', async (incoming) => listTests(incoming.ctx, await openFiles(incoming.ctx)))
  onButton(composer, buttons.open, async ({ ctx }, next, s) => {
    const file = await visibleFile(ctx, s)
    await (file ? showPlace(ctx, file) : next())
  })
  onButton(composer, buttons.testsPage, async (incoming, _, page) => {
    const { ctx } = incoming
    const files = await openFiles(ctx)
    if (files.length === 0 || !isOnAsked(incoming)) return listTests(ctx, files, page)
    const shown = await ctx.show(tappedMessage(incoming), await pageOf(ctx, files, page))
    if (shown !== undefined) ctx.account.asked = shown
  })
  return composer
}

/** Shows what this account has begun and what is ready. */
export async function listTests(ctx: UpdateContext, files: readonly RecordFile[], page = 1): Promise<void> {
  if (files.length === 0) return sendText(ctx, 'tests-none')
  await ctx.ask(await pageOf(ctx, files, page))
}

async function pageOf(ctx: UpdateContext, files: readonly RecordFile[], page: number): Promise<View> {
  const listed: ListedTest[] = []
  for (const file of files) {
    const { s, caseNumber } = file
    listed.push({
      s,
      standing: await readStanding(ctx, file),
      title: await titleHere(ctx, file),
      caseNumber,
    })
  }
  return testsView(ctx.t, listed, page)
}

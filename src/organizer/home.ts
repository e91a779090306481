import type { Composer } from 'grammy'
import { testHere } from '../dialog/attempt.ts'
import { openFiles } from '../dialog/files.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn } from '../domain/record/record.ts'
import { type BoardStage, boardListOf, boardLists } from '../domain/record/standing.ts'
import { unansweredNow } from '../jobs/asked-questions.ts'
import { currentBoard, dayBegin, recountBoard } from '../jobs/stage-counts.ts'
import { buttons } from '../views/buttons.ts'
import { homeView, ITEMS_A_SCREEN, type StageItem, stageView } from '../views/home.ts'
import type { NamedTest } from '../views/tests.ts'
import { screenOf } from '../views/view.ts'
import { enrolled, whoIs } from './kept-listings.ts'

/** The organizers' home, and its stages. `/start` alone shows it, too (see `participant/start.ts`). */
export function homes(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.home, (incoming, _, more?: 'more') =>
    showHome(incoming.ctx, tappedMessage(incoming), more !== undefined),
  )
  onButton(composer, buttons.stage, (incoming, _, stage, screen) =>
    showStage(incoming.ctx, { stage, screen }, tappedMessage(incoming)),
  )
}

/** Shows the home, in the place of a message or as a new one. */
export async function showHome(ctx: UpdateContext, messageId?: number, isMore = false): Promise<void> {
  const { deps, work, now, t } = ctx
  const board = await currentBoard({ ...deps, now }, work, dayBegin(now))
  const open = (await openFiles(ctx)).filter((file) => !isIn(file, 'scored', 'done', 'elsewhere'))
  const own: NamedTest[] = []
  for (const file of open) own.push(await testHere(ctx, file))
  const { length: unanswered } = await unansweredNow(ctx)
  await ctx.show(messageId, homeView(t, { board, unanswered, own, now, isMore }))
}

type Wanted = { stage: BoardStage; screen: number }

/** Shows the people at a stage, those first who have been there longest. */
async function showStage(ctx: UpdateContext, { stage, screen: wanted }: Wanted, messageId?: number) {
  const { store, vault } = ctx.deps
  const lists = boardLists(stage, ctx.now)
  const counts = await store.counts(lists)
  const count = counts.reduce((all, each) => all + each, 0)
  const { screen, before } = screenOf(count, ITEMS_A_SCREEN, wanted)
  const found: { id: string; at: number; list: string }[] = []
  let passed = 0
  for (const [index, { list, from }] of lists.entries()) {
    const skip = Math.max(0, before - passed)
    const most = ITEMS_A_SCREEN - found.length
    const piece = most > 0 ? await store.listed(list, { from, skip, most }) : []
    found.push(...piece.map((each) => ({ ...each, list })))
    passed += counts[index] ?? 0
  }
  const kept = await enrolled({ store, vault }, found)
  const items: StageItem[] = []
  for (const [index, { at, list }] of found.entries()) {
    const { entry, file } = kept[index] ?? {}
    if (!entry || (file && boardListOf(file).list !== list)) await recountBoard(ctx.work, ctx.now)
    if (!entry) continue
    const { kind, token, title } = entry
    const who = await whoIs(ctx, { token, file })
    const target = { kind, token }
    items.push({
      target,
      who,
      title: file?.test.title || title || token,
      at,
      isFlagged: file?.isFlagged === true,
    })
  }
  await ctx.show(messageId, stageView(ctx.t, { stage, items, before, count, screen }))
}

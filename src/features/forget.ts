import { Composer } from 'grammy'
import { callActor, resultActor, submitActor, timerActor } from '../background/actors.ts'
import { owedResults } from '../background/deliver-result.ts'
import { epochs, recordFiles, sittingKey } from '../background/kinds.ts'
import { claimOf, putClaim } from '../dialog/files.ts'
import { tell } from '../dialog/say.ts'
import { readSitting } from '../dialog/show-question.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { forgetView, type Kept } from '../views/privacy.ts'
import { type BotContext, tappedMessage } from './context.ts'
import { openFiles } from './tests.ts'

/** `/forget`: shows what is kept and deletes it. What the service keeps only the organizer can delete. */
export function forget(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('forget', async ({ turn }) => {
    const files = await openFiles(turn)
    await turn.ask(
      forgetView(turn.t, await keptOf(turn, files), { contact: turn.deps.config.organizerContact }),
    )
  })
  composer.callbackQuery(/^forget:(yes|no)$/, async (ctx) => {
    const { turn } = ctx
    if (turn.account.asked === undefined || tappedMessage(ctx) !== turn.account.asked) {
      await ctx.toast(turn.t.plain('button-old'))
      return
    }
    await turn.disarm(turn.account.asked)
    delete turn.account.asked
    if (ctx.match[1] === 'no') return tell(turn, 'forget-kept-all')
    await deleteAll(turn, await openFiles(turn))
    await turn.say({ text: turn.t('forgotten', { contact: turn.deps.config.organizerContact }) })
  })
  return composer
}

async function keptOf(turn: Turn, files: readonly RecordFile[]): Promise<Kept> {
  const kept: Kept = { profiles: 0, sittings: 0, unsent: [], finished: 0 }
  for (const { s, stage, draft, test } of files) {
    if (draft) kept.profiles += 1
    if (stage === 'done' || stage === 'scored') kept.finished += 1
    const sitting = await readSitting(turn, s)
    if (!sitting) continue
    kept.sittings += 1
    if (sitting.answered === sitting.questions && stage !== 'scored')
      kept.unsent.push({ s, title: test.title })
  }
  return kept
}

/**
 * Deletes everything of this account. The raised epoch stops work that is under way from bringing anything back; a
 * claim stays as a mark without content, so that the link opens for nobody else.
 */
async function deleteAll(turn: Turn, files: readonly RecordFile[]): Promise<void> {
  const { work, who, account } = turn
  const epoch = (await work.get(epochs, who))?.epoch ?? 0
  work.put(epochs, who, { epoch: epoch + 1 })
  for (const { s, token, owner, typed } of files) {
    if (owner !== who) continue
    await turn.deleteMessages(typed ?? [])
    const screen = account.screens[s]
    if (screen !== undefined) await turn.disarm(screen)
    for (const actor of [callActor(s, who), submitActor(s), resultActor(s), timerActor(s)]) {
      work.post(actor, { cancelled: true }, { replace: true })
    }
    work.putBytes(sittingKey(s), null)
    work.remove(owedResults, s)
    work.remove(recordFiles, s)
    if (await claimOf(turn, token)) putClaim(turn, token, { who, forgotten: true })
  }
  turn.forgetAccount()
}

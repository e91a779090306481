import { Composer } from 'grammy'
import { epochs, recordFiles, sittingKey } from '../background/kinds.ts'
import { owedResults } from '../background/owed-result.ts'
import { tellOthers } from '../dialog/board.ts'
import { claimOf, ownHand, putClaim, saveFile } from '../dialog/files.ts'
import { tell } from '../dialog/say.ts'
import { readSitting } from '../dialog/show-question.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { forgetView, type Kept } from '../views/privacy.ts'
import { type BotContext, tappedMessage } from './context.ts'
import { allFiles } from './tests.ts'

/** `/forget`: shows what is kept and deletes it. What the service keeps only the organizer can delete. */
export function forget(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('forget', async ({ turn }) => {
    const files = await allFiles(turn)
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
    await deleteAll(turn, await allFiles(turn))
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
  for (const file of files) {
    const { s, token, owner, typed } = file
    const screen = account.screens[s]
    if (screen !== undefined) await turn.disarm(screen)
    if (owner !== who) {
      giveBack(turn, file)
      continue
    }
    await turn.deleteMessages(typed ?? [])
    work.putBytes(sittingKey(s), null)
    work.remove(owedResults, s)
    if (await claimOf(turn, token)) putClaim(turn, token, { who, forgotten: true })
    const parent = files.find((each) => each.s === file.parent?.s)
    if (parent && parent.owner !== who && file.stage !== 'done') {
      // Somebody else's roadmap goes on: the test is open there again.
      saveFile(turn, { ...file, stage: 'new', owner: parent.owner ?? who })
    } else if (file.roadmap?.hands.some((hand) => hand.who !== undefined)) {
      saveFile(turn, withoutOwner(file))
    } else work.remove(recordFiles, s)
  }
  turn.forgetAccount()
}

/** A role of somebody else's roadmap goes back to the one who began it. */
function giveBack(turn: Turn, file: RecordFile): void {
  const { roadmap } = file
  if (!roadmap || !ownHand(turn, file)) return
  roadmap.hands = roadmap.hands.filter((hand) => hand.who !== turn.who)
  saveFile(turn, file)
  tellOthers(turn, file)
}

/** The others of a roadmap go on without the one who began it. */
function withoutOwner(file: RecordFile): RecordFile {
  const { draft: _draft, sms: _sms, typed: _typed, ...rest } = file
  const roadmap = file.roadmap && { ...file.roadmap }
  delete roadmap?.ownerChatId
  return { ...rest, owner: '', ...(roadmap ? { roadmap } : {}) }
}

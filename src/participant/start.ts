import { Composer } from 'grammy'
import { openedHand, takesPart } from '../dialog/access.ts'
import { isPending } from '../dialog/call.ts'
import type { TurnContext } from '../dialog/context.ts'
import { openFiles, visibleFile } from '../dialog/files.ts'
import { sendText, withOtherLanguage } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import { parsePayload } from '../domain/invitation.ts'
import { isIn } from '../domain/record/record.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { acceptRole } from './accept-role.ts'
import { checkRecord } from './check-record.ts'
import { deliverBlocked, isServed } from './deliver.ts'
import { begin } from './introduce.ts'
import { onButton } from './on-button.ts'
import { open } from './open-code.ts'
import { showPlace } from './place.ts'
import { listTests } from './tests.ts'

/** `/start` with and without a payload. */
export function start(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.command('start', async (ctx) => {
    const payload = ctx.match.trim()
    delete ctx.turn.account.blocked
    if (payload === '') return startAlone(ctx.turn)
    await deliverOwed(ctx.turn)
    await open(ctx.turn, parsePayload(payload))
  })
  return composer
}

/** Delivers what is owed, then goes on with the one thing that is open, or lists them. */
async function startAlone(turn: Turn): Promise<void> {
  const delivery = await deliverOwed(turn)
  const files = await openFiles(turn)
  const open = files.filter((file) => !isIn(file, 'scored', 'done', 'elsewhere'))
  const [only] = open
  if (only && open.length === 1) return showPlace(turn, only)
  if (delivery === 'begun' && open.length === 0) return
  if (files.length > 0) return listTests(turn, files)
  if (turn.account.items.some((s) => isPending(turn, s))) return sendText(turn, 'one-moment')
  const { organizerName, organizerContact } = turn.deps.config
  const text = turn.t('welcome', { organizer: organizerName, contact: organizerContact })
  await turn.send(withOtherLanguage(turn, { text }))
}

/** Has sent what is still owed, also to somebody who had blocked the bot. */
async function deliverOwed(turn: Turn): Promise<'begun' | 'nothing owed'> {
  const { focus } = turn.account
  const blocked = await deliverBlocked(turn)
  const owed = []
  for (const file of await openFiles(turn)) {
    if (isIn(file, 'scored') && !(await isServed(turn, file))) owed.push(file)
  }
  for (const file of owed) await showPlace(turn, file)
  if (focus === undefined) delete turn.account.focus
  else turn.account.focus = focus
  return owed.length > 0 ? 'begun' : blocked
}

/** Buttons of the introduction and of waiting for the organizer. */
export function introduction(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  onButton(composer, buttons.begin, async ({ turn }, _, s) => {
    const file = await visibleFile(turn, s)
    if (!file) {
      const isBegun = await turn.work.get(recordFiles, s)
      return sendText(turn, isBegun ? 'invitation-used' : 'invitation-closed')
    }
    const hand = openedHand(turn, file)
    if (hand) return acceptRole(turn, file, hand)
    await (file.isBegun && (await takesPart(turn, file)) ? showPlace : begin)(turn, file)
  })
  onButton(composer, buttons.refresh, async ({ turn, toast }, next, s) => {
    const file = await visibleFile(turn, s)
    if (!file) return next()
    if (isPending(turn, s)) return toast(turn.t.plain('one-moment'))
    await (isIn(file, 'waiting', 'new') ? checkRecord : showPlace)(turn, file)
  })
  return composer
}

import { Composer } from 'grammy'
import { openedAssignment, takesPart } from '../dialog/access.ts'
import { isPending } from '../dialog/call.ts'
import { openFiles, visibleFile } from '../dialog/files.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { sendText, withOtherLanguage } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
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
export function start(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('start', async (incoming) => {
    const payload = incoming.match.trim()
    delete incoming.ctx.account.blocked
    if (payload === '') return startAlone(incoming.ctx)
    await deliverOwed(incoming.ctx)
    await open(incoming.ctx, parsePayload(payload))
  })
  return composer
}

/** Delivers what is owed, then goes on with the one thing that is open, or lists them. */
async function startAlone(ctx: UpdateContext): Promise<void> {
  const delivery = await deliverOwed(ctx)
  const files = await openFiles(ctx)
  const open = files.filter((file) => !isIn(file, 'scored', 'done', 'elsewhere'))
  const [only] = open
  if (only && open.length === 1) return showPlace(ctx, only)
  if (delivery === 'begun' && open.length === 0) return
  if (files.length > 0) return listTests(ctx, files)
  if (ctx.account.items.some((s) => isPending(ctx, s))) return sendText(ctx, 'one-moment')
  const { organizerName, organizerContact } = ctx.deps.config
  const text = ctx.t('welcome', { organizer: organizerName, contact: organizerContact })
  await ctx.send(withOtherLanguage(ctx, { text }))
}

/** Has sent what is still owed, also to somebody who had blocked the bot. */
async function deliverOwed(ctx: UpdateContext): Promise<'begun' | 'nothing owed'> {
  const { focus } = ctx.account
  const blocked = await deliverBlocked(ctx)
  const owed = []
  for (const file of await openFiles(ctx)) {
    if (isIn(file, 'scored') && !(await isServed(ctx, file))) owed.push(file)
  }
  for (const file of owed) await showPlace(ctx, file)
  if (focus === undefined) delete ctx.account.focus
  else ctx.account.focus = focus
  return owed.length > 0 ? 'begun' : blocked
}

/** Buttons of the introduction and of waiting for the organizer. */
export function introduction(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  onButton(composer, buttons.begin, async ({ ctx }, _, s) => {
    const file = await visibleFile(ctx, s)
    if (!file) {
      const isBegun = await ctx.work.get(recordFiles, s)
      return sendText(ctx, isBegun ? 'invitation-used' : 'invitation-closed')
    }
    const hand = openedAssignment(ctx, file)
    if (hand) return acceptRole(ctx, file, hand)
    await (file.isBegun && (await takesPart(ctx, file)) ? showPlace : begin)(ctx, file)
  })
  onButton(composer, buttons.refresh, async ({ ctx, toast }, next, s) => {
    const file = await visibleFile(ctx, s)
    if (!file) return next()
    if (isPending(ctx, s)) return toast(ctx.t.plain('one-moment'))
    await (isIn(file, 'waiting', 'new') ? checkRecord : showPlace)(ctx, file)
  })
  return composer
}

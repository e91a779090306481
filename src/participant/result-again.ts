import type { Composer } from 'grammy'
import { type IncomingContext, onFileButton } from '../dialog/incoming.ts'
import { sendText } from '../dialog/send.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { buttons } from '../views/buttons.ts'
import { deliverAgain, hasResult } from './deliver.ts'
import { showPlace } from './place.ts'
import { mayCall } from './visits.ts'

/** The button that sends a delivered result once more. */
export function resultAgain(composer: Composer<IncomingContext>): void {
  onFileButton(composer, buttons.result, async ({ ctx }, file) => {
    const isThere = await hasResult(ctx, file)
    // The records of a roadmap give no result of their own.
    if (!isThere || file.parent || resultToOf(ctx.deps.config, file) === 'organizer')
      return showPlace(ctx, file)
    if (!(await mayCall(ctx, 'results'))) return
    await sendText(ctx, 'result-coming')
    await deliverAgain(ctx, file)
  })
}

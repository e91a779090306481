import { z } from 'zod'
import { traceOf } from '../observe/trace.ts'
import { actorId, actorKind } from './actors.ts'

const message = z.object({
  type: z.string().optional(),
  onBehalf: z.object({ who: z.string() }).optional(),
  update: z.looseObject({}).optional(),
  event: z.object({ kind: z.string() }).optional(),
  call: z.object({ kind: z.string() }).optional(),
  kind: z.string().optional(),
})

/** What the log says of a message: whose account it is about, as a trace, and what kind of message it is. */
export function traceMessage(actor: string, body: unknown): { trace: string; kind: string | undefined } {
  const { data: found } = message.safeParse(body)
  const who = actorKind(actor) === 'chat' ? actorId(actor) : (found?.onBehalf?.who ?? actorId(actor))
  const update = found?.update && Object.keys(found.update).find((key) => key !== 'update_id')
  return { trace: traceOf(who), kind: update ?? found?.event?.kind ?? found?.call?.kind ?? found?.kind }
}

import { z } from 'zod'
import { roleId } from '../../domain/role-ids.ts'
import { document } from './document.ts'
import { batchExpiry } from './retention.ts'

/** Why a line of a batch has no invitation; the words of the CSV's last column. */
const problem = z.enum([
  'line not understood',
  // What rows of an earlier version may still say.
  'a roadmap takes no external id',
  'a roadmap takes an external id for each role',
  'unknown to the service',
  'it is a record, not a roadmap',
  'it is a roadmap, not a record',
  'begun already',
  'deleted by its participant: release it first',
  'belongs to a roadmap',
  'finished already',
  'its roles are invited one by one',
  'refused by the service',
])
export type BatchProblem = z.infer<typeof problem>

const row = z.object({
  token: z.string(),
  kind: z.enum(['record', 'roadmap']).optional(),
  externalId: z.number().optional(),
  /** Of a roadmap, in the order of its roles; `null` for a role without one. */
  externalIds: z.array(z.number().nullable()).optional(),
  /** The same by role, once it was looked up. */
  roleIds: z.array(roleId).optional(),
  /** What the service has under the token, once it was looked up. */
  title: z.string().optional(),
  isFinished: z.boolean().optional(),
  code: z.string().optional(),
  error: problem.optional(),
})
export type BatchRow = z.infer<typeof row>

/** Invitations for many lines, in their order, as far as they have come. By a random id. */
export const batches = document('h', {
  schema: z.object({ by: z.number(), rows: z.array(row) }),
  expiresAt: batchExpiry,
})
export type Batch = { by: number; rows: BatchRow[] }

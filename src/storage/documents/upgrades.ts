import { z } from 'zod'

/** Any object; the current schema checks its fields at the end. */
const fields = (value: unknown): Record<string, unknown> => z.looseObject({}).parse(value)
const listed = z.array(z.looseObject({}))

/** No released version wrote it. */
export function neverReleased(): never {
  throw new Error('this was written before 1.0.0')
}

/** No release wrote the previous version: the upgrade before this one already returns the next version. */
export const neverWritten = (value: unknown): unknown => value

/**
 * Moves `isUnclear` into the questions, as `isAttempted`, and drops the owner, which the assignee document
 * has. The account of a role becomes an assignee.
 */
export function recordFromVersion2(value: unknown): unknown {
  const { state, roadmap, owner, isLeft, isReleased, ...file } = fields(value)
  const { isUnclear, questions, ...others } = fields(state)
  const asked = questions && { ...fields(questions), ...(isUnclear ? { isAttempted: true } : {}) }
  const begun = owner !== undefined || isLeft || isReleased ? { isBegun: true } : {}
  return {
    ...file,
    ...begun,
    roadmap: roadmap && withAssignees(roadmap),
    state: { ...others, questions: asked },
  }
}

function withAssignees(roadmap: unknown): unknown {
  const { hands, ...part } = fields(roadmap)
  return {
    ...part,
    hands: listed.parse(hands).map(({ role, code, finishedBefore, ...claim }) => {
      const isWaiting = claim.who === undefined && claim.tries === undefined
      return {
        role,
        code,
        finishedBefore,
        assignee: isWaiting ? { is: 'invited' } : assigneeFromClaim(claim),
      }
    }),
  }
}

/** Stored in place of the account if the roles of a roadmap were invited one by one. */
const OF_ROLES = 'roles'

/**
 * Turns the claim of a record, roadmap or role into an assignee. A guardian's agreement was stored without
 * time and wording.
 */
export function assigneeFromClaim(value: unknown): unknown {
  const { who, forgotten, isAnswered, tries, guardian, ...claim } = fields(value)
  const rest = guardian ? { ...claim, agreements: [{ by: 'guardian' }] } : claim
  if (who === OF_ROLES) return { is: 'left' }
  if (forgotten) return { ...rest, is: 'left', who }
  if (who !== undefined) return { ...rest, is: isAnswered ? 'over' : 'taken', who }
  return tries === undefined ? { ...rest, is: 'free' } : { ...rest, is: 'released', tries }
}

/** Version 1 stored waiting results only. */
export const waitingFromResults = (value: unknown): unknown => ({
  waiting: listed.parse(fields(value).results).map((body) => ({ actor: `result:${String(body.s)}`, body })),
})

/** Version 1 stored the actor and the time only. */
export const deadLettersFromVersion1 = (value: unknown): unknown => ({
  letters: [{ ...messageFromVersion1.parse(value), id: 'old', times: 1, why: 'unknown', trace: 'unknown' }],
})
const messageFromVersion1 = z.object({ actor: z.string(), at: z.number() })

import { z } from 'zod'

/** Something with fields; which of them are what they should be the schema of today says at the end. */
const fields = (value: unknown): Record<string, unknown> => z.looseObject({}).parse(value)
const listed = z.array(z.looseObject({}))

/** No version that was ever run wrote it. */
export function neverReleased(): never {
  throw new Error('this was written before 1.0.0')
}

/** No release wrote the version before this one: the step from a release before that has led here already. */
export const neverWritten = (value: unknown): unknown => value

/**
 * That an attempt to send the answers may have been accepted is known with their questions; whose it is its assignee says, and
 * the account of a role is one, too.
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

/** The account of a role that was given away is an assignee. */
function withAssignees(roadmap: unknown): unknown {
  const { hands, ...part } = fields(roadmap)
  return {
    ...part,
    hands: listed.parse(hands).map(({ role, code, finishedBefore, ...hand }) => {
      const isWaiting = hand.who === undefined && hand.tries === undefined
      return { role, code, finishedBefore, assignee: isWaiting ? { is: 'invited' } : assigneeFromClaim(hand) }
    }),
  }
}

/** The name that stood for the account of a roadmap whose roles were invited one by one. */
const OF_ROLES = 'roles'

/**
 * Who had begun a record or roadmap, or a role of one, is an assignee: there was no union for it before. That a guardian had
 * agreed was kept without its time and words.
 */
export function assigneeFromClaim(value: unknown): unknown {
  const { who, forgotten, isAnswered, tries, guardian, ...claim } = fields(value)
  const rest = guardian ? { ...claim, agreements: [{ by: 'guardian' }] } : claim
  if (who === OF_ROLES) return { is: 'left' }
  if (forgotten) return { ...rest, is: 'left', who }
  if (who !== undefined) return { ...rest, is: isAnswered ? 'over' : 'taken', who }
  return tries === undefined ? { ...rest, is: 'free' } : { ...rest, is: 'released', tries }
}

/** Of all that waits for a blocked chat there were the results alone. */
export const waitingFromResults = (value: unknown): unknown => ({
  waiting: listed.parse(fields(value).results).map((body) => ({ actor: `result:${String(body.s)}`, body })),
})

/** Only whose it was and when. */
export const deadLettersFromVersion1 = (value: unknown): unknown => ({
  letters: [{ ...messageFromVersion1.parse(value), id: 'old', times: 1, why: 'unknown', trace: 'unknown' }],
})
const messageFromVersion1 = z.object({ actor: z.string(), at: z.number() })

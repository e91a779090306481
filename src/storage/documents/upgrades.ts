import { z } from 'zod'

/** Something with fields; which of them are what they should be the schema of today says at the end. */
const fields = (value: unknown): Record<string, unknown> => z.looseObject({}).parse(value)
const listed = z.array(z.looseObject({}))

/** No version that was ever run wrote it. */
export function neverReleased(): never {
  throw new Error('this was written before 1.0.0')
}

/** That an attempt to send the answers may have been accepted is known with their questions; the account of a role is an assignee. */
export function recordFromVersion2(value: unknown): unknown {
  const { state, roadmap, ...file } = fields(value)
  const { isUnclear, questions, ...others } = fields(state)
  const asked = questions && { ...fields(questions), ...(isUnclear ? { isAttempted: true } : {}) }
  return { ...file, roadmap: roadmap && withAssignees(roadmap), state: { ...others, questions: asked } }
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

/** Whose it is its assignee says, and no copy of that. */
export function recordFromVersion3(value: unknown): unknown {
  const { owner, isLeft, isReleased, ...rest } = fields(value)
  return owner === undefined && !isLeft && !isReleased ? rest : { ...rest, isBegun: true }
}

/** The name that stood for the account of a roadmap whose roles were invited one by one. */
const OF_ROLES = 'roles'

/** Who had begun a record or roadmap, or a role of one, is an assignee: there was no union for it before. */
export function assigneeFromClaim(value: unknown): unknown {
  const { who, forgotten, isAnswered, tries, ...rest } = fields(value)
  if (who === OF_ROLES) return { is: 'left' }
  if (forgotten) return { ...rest, is: 'left', who }
  if (who !== undefined) return { ...rest, is: isAnswered ? 'over' : 'taken', who }
  return tries === undefined ? { ...rest, is: 'free' } : { ...rest, is: 'released', tries }
}

/** That a guardian had agreed was kept without its time and words. */
export function assigneeFromVersion2(value: unknown): unknown {
  const { guardian, ...rest } = fields(value)
  return guardian ? { ...rest, agreements: [{ by: 'guardian' }] } : rest
}

/** The same of whoever has a role of a roadmap. */
export function recordFromVersion4(value: unknown): unknown {
  const { roadmap, ...file } = fields(value)
  if (!roadmap) return file
  const { hands, ...part } = fields(roadmap)
  const upgraded = listed.parse(hands).map(({ assignee, ...hand }) => {
    return { ...hand, assignee: assigneeFromVersion2(assignee) }
  })
  return { ...file, roadmap: { ...part, hands: upgraded } }
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

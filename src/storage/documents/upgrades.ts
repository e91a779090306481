import { z } from 'zod'

/** A record's file as the first version kept it: what exists in a stage lay beside it. */
const version1 = z.looseObject({
  stage: z.string(),
  owner: z.string().optional(),
  chatId: z.number().optional(),
  draft: z.unknown().optional(),
  sms: z.unknown().optional(),
  questions: z.unknown().optional(),
  answersWait: z.unknown().optional(),
  isUnclear: z.unknown().optional(),
  isOwed: z.unknown().optional(),
  ofRoadmap: z.unknown().optional(),
  roadmap: z
    .looseObject({
      ownerChatId: z.number().optional(),
      failure: z.array(z.string()).optional(),
      expectedMinutes: z.string().optional(),
    })
    .optional(),
})

const version2 = z.looseObject({
  state: z.looseObject({ isUnclear: z.unknown().optional(), questions: z.looseObject({}).optional() }),
})

/** That an attempt to send the answers may have been accepted is known with their questions; the account of a role is an assignee. */
export function recordFromVersion2(value: unknown): unknown {
  const { state, ...rest } = version2.parse(withAssignees(value))
  const { isUnclear, questions, ...others } = state
  return {
    ...rest,
    state: {
      ...others,
      questions: questions && { ...questions, ...(isUnclear ? { isAttempted: true } : {}) },
    },
  }
}

const version3 = z.looseObject({
  owner: z.unknown().optional(),
  isLeft: z.unknown().optional(),
  isReleased: z.unknown().optional(),
})

/** Whose it is its assignee says, and no copy of that. */
export function recordFromVersion3(value: unknown): unknown {
  const { owner, isLeft, isReleased, ...rest } = version3.parse(value)
  return owner === undefined && !isLeft && !isReleased ? rest : { ...rest, isBegun: true }
}

/** Puts what exists in a stage into the state of that stage. */
export function recordFromVersion1(value: unknown): unknown {
  const { stage, owner, draft, sms, questions, answersWait, isUnclear, isOwed, ofRoadmap, roadmap, ...rest } =
    version1.parse(value)
  const { ownerChatId, failure, expectedMinutes, ...part } = roadmap ?? {}
  const fields = {
    needsProfile: draft !== undefined,
    draft,
    sms,
    answered: answersWait ? questions : undefined,
    questions,
    isUnclear,
    expectedMinutes,
    reasons: failure ?? [],
    isOwed,
    ofRoadmap,
  }
  return {
    ...rest,
    // Fields that the stage does not have are dropped when the state is read.
    state: { stage, ...fields },
    ...(owner === '' ? { isLeft: true } : { owner }),
    chatId: rest.chatId ?? ownerChatId,
    roadmap: roadmap && { ...part, ...(ownerChatId === undefined && owner !== '' ? {} : { isOpened: true }) },
  }
}

/** Who had begun a record or roadmap, or a role of one, as it was kept before there was one union for it. */
const claimed = z.looseObject({
  who: z.string().optional(),
  forgotten: z.unknown().optional(),
  tries: z.number().optional(),
  isAnswered: z.unknown().optional(),
})

/** The name that stood for the account of a roadmap whose roles were invited one by one. */
const OF_ROLES = 'roles'

/** A claim is an assignee. */
export function assigneeFromClaim(value: unknown): unknown {
  const { who, forgotten, isAnswered, tries, ...rest } = claimed.parse(value)
  if (who === OF_ROLES) return { is: 'left' }
  if (forgotten) return { ...rest, is: 'left', who }
  if (who !== undefined) return { ...rest, is: isAnswered ? 'over' : 'taken', who }
  return tries === undefined ? { ...rest, is: 'free' } : { ...rest, is: 'released', tries }
}

const withAssignments = z.looseObject({
  roadmap: z
    .looseObject({
      hands: z.array(z.looseObject({ who: z.string().optional(), tries: z.number().optional() })),
    })
    .optional(),
})

/** The account of a role given away is an assignee. */
function withAssignees(value: unknown): unknown {
  const { roadmap, ...file } = withAssignments.parse(value)
  const hands = roadmap?.hands.map(({ role, code, finishedBefore, ...hand }) => {
    const isWaiting = hand.who === undefined && hand.tries === undefined
    return { role, code, finishedBefore, assignee: isWaiting ? { is: 'invited' } : assigneeFromClaim(hand) }
  })
  return { ...file, roadmap: roadmap && { ...roadmap, hands } }
}

const withResults = z.object({ results: z.array(z.looseObject({ s: z.string() })) })

/** Of all that waits for a blocked chat there were the results alone. */
export const waitingFromResults = (value: unknown): unknown => ({
  waiting: withResults.parse(value).results.map((body) => ({ actor: `result:${body.s}`, body })),
})

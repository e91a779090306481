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

/** That an attempt to send the answers may have been accepted is known with their questions. */
export function recordFromVersion2(value: unknown): unknown {
  const { state, ...rest } = version2.parse(value)
  const { isUnclear, questions, ...others } = state
  return {
    ...rest,
    state: {
      ...others,
      questions: questions && { ...questions, ...(isUnclear ? { isAttempted: true } : {}) },
    },
  }
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

import type { Chance } from './chance.ts'
import type { Fate } from './faults.ts'
import { type AimedFate, cellOf, FATES, STATES, STEPS, type State, type Step, type Visits } from './visits.ts'
import { FORGOTTEN, RELEASED, TAKEN_OVER } from './way-in.ts'

type Aim = { step: Step; fate: AimedFate; skips: number }

const STEP_OF_PATH: readonly (readonly [RegExp, Step])[] = [
  [/^PUT .*\/verify\/$/, 'verify'],
  [/^POST .*\/auth\/$/, 'auth'],
  [/^POST .*\/generate\/$/, 'generate'],
  [/^POST \/v2\/record\/[^/]+\/$/, 'submit'],
]
const STEP_OF_METHOD: Readonly<Record<string, Step>> = {
  sendPhoto: 'picture',
  sendMediaGroup: 'picture',
  sendMessage: 'text',
  sendDocument: 'document',
}
/** The keys by which the commit of a step is known: the assignee or the roadmap, or the epoch of /forget. */
const WRITES: Partial<Record<Step, RegExp>> = {
  release: /^[cr]:/,
  'take-over': /^[cr]:/,
  forget: /^e:/,
}
/** Steps that few worlds reach: every world aims at them, and again at each retry. */
const RARE: ReadonlySet<Step> = new Set(['generate', 'release', 'take-over', 'forget'])
const TIMES_IF_RARE = 5
const SLOW_MS = [1_000, 16_000] as const
/** Steps that must not happen twice. `STOPPED` is how often a replica gets SIGTERM while it waits for their reply. */
const ACTS: ReadonlySet<Step> = new Set(['auth', 'verify', 'submit'])
const STOPPED = 0.5
const STOPPED_MS = [7_000, 16_000] as const

/** The texts by which an assignee's state is seen in a chat. */
const TOLD: readonly (readonly [State, string])[] = [
  ['released', RELEASED],
  ['taken over', TAKEN_OVER],
  ['forgotten', FORGOTTEN],
]

export const stepOfCall = (method: string, path: string): Step | undefined =>
  STEP_OF_PATH.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1]
export const stepOfPart = (method: string): Step | undefined => STEP_OF_METHOD[method]

/** A commit of an actor, with its writes. */
type Writing = { actor: string; writes?: readonly { key: string }[] | undefined }

export type Aims = ReturnType<typeof createAims>

/** `isHasty`: also aims at every retry of a step that must not happen twice. */
type AimsDeps = { chance: Chance; isCalm: boolean; isHasty?: boolean | undefined }

/** Each world aims a fate at most steps, so that many worlds meet every pair, and records which pairs it met. */
export function createAims({ chance, isCalm, isHasty = false }: AimsDeps) {
  const aims: Aim[] = isCalm
    ? []
    : STEPS.flatMap((step) => {
        const isAlways = RARE.has(step) || (isHasty && ACTS.has(step))
        const times = isAlways ? TIMES_IF_RARE : chance.is(0.7) ? 1 : 0
        const skips = RARE.has(step) ? 0 : chance.below(2)
        return Array.from({ length: times }, () => ({ step, fate: chance.pick(FATES), skips }))
      })
  const cells = new Set<string>()
  const states = new Set<string>()
  /** The step that each chat has been asked for and has not committed yet. */
  const pending = new Map<string, Step>()
  let actorOf: (chat: number) => string = String

  function stepOfCommit({ actor, writes = [] }: Writing): Step | undefined {
    const step = pending.get(actor)
    return step && writes.some(({ key }) => WRITES[step]?.test(key)) ? step : undefined
  }

  return {
    /** The queues of chats have keyed names, which are known once a replica has started. */
    knowsActors(of: (chat: number) => string): void {
      actorOf = of
    },
    /** A person has pressed or typed something that starts a step; a commit of their chat carries it out. */
    begins: (chat: number, step: Step) => void pending.set(actorOf(chat), step),
    actorOf: (chat: number): string => actorOf(chat),
    stepOfCommit,
    committed(commit: Writing): void {
      if (stepOfCommit(commit)) pending.delete(commit.actor)
    },

    /** The fate of a request; changed if this world aims at its step. */
    aimedAt(step: Step, fate: Fate): Fate {
      const aim = aims.find((each) => each.step === step)
      if (!aim) return fate
      if (aim.skips > 0) {
        aim.skips -= 1
        return fate
      }
      aims.splice(aims.indexOf(aim), 1)
      const plain = { requestMs: fate.requestMs, replyMs: fate.replyMs }
      switch (aim.fate) {
        case 'lost before':
          return { ...plain, becomes: 'unasked' }
        case 'lost after':
          return { ...plain, becomes: 'unheard' }
        case 'slow':
          if (ACTS.has(step) && chance.is(STOPPED)) return stopped(plain, chance)
          return { ...plain, ...slower(plain, chance), becomes: 'answered' }
        case 'refused':
          return { ...plain, becomes: 'refused' }
        case 'killed before':
          return { ...plain, becomes: 'unasked', host: { meets: 'crash', when: 'asking' } }
        case 'killed after':
          return { ...plain, becomes: 'answered', host: { meets: 'crash', when: 'asked' } }
      }
    },
    /** Records the fate of a step, by chance or by aim. */
    met(step: Step, fate: AimedFate): void {
      cells.add(cellOf(step, fate))
    },
    visits: (state: State | string): void => {
      if (STATES.some((each) => each === state)) states.add(state)
    },
    /** The bot sends a text; it may show an assignee's state. */
    reads(text: string): void {
      for (const [state, words] of TOLD) if (text.includes(words)) states.add(state)
    },
    get all(): Visits {
      return { cells: [...cells], states: [...states] }
    },
  }
}

/** Delays the request or its reply. */
function slower({ requestMs, replyMs }: Pick<Fate, 'requestMs' | 'replyMs'>, chance: Chance) {
  const moreMs = chance.between(...SLOW_MS)
  return chance.is(0.5) ? { requestMs: requestMs + moreMs } : { replyMs: replyMs + moreMs }
}

const stopped = (plain: Pick<Fate, 'requestMs' | 'replyMs'>, chance: Chance): Fate => ({
  requestMs: plain.requestMs,
  replyMs: plain.replyMs + chance.between(...STOPPED_MS),
  becomes: 'answered',
  host: { meets: 'stop', when: 'asking' },
})

/** The name of a request's fate in the table. */
export function namedFate({ requestMs, replyMs, becomes, host }: Fate): AimedFate | undefined {
  if (host?.meets === 'crash') return host.when === 'asking' ? 'killed before' : 'killed after'
  if (becomes === 'unasked') return 'lost before'
  if (becomes === 'unheard') return 'lost after'
  if (becomes === 'refused') return 'refused'
  return requestMs + replyMs >= SLOW_MS[0] ? 'slow' : undefined
}

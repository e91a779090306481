/** The steps of a replica that have to survive every fate … */
export const STEPS = [
  'auth',
  'verify',
  'submit',
  'generate',
  'picture',
  'text',
  'document',
  'release',
  'take-over',
  'forget',
  'event',
] as const
export type Step = (typeof STEPS)[number]

/** … the fates of a step … */
export const FATES = [
  'lost before',
  'lost after',
  'slow',
  'refused',
  'killed before',
  'killed after',
] as const
export type AimedFate = (typeof FATES)[number]

/** … and the states that people, records and assignees have to pass through. */
export const STATES = [
  ...['waiting', 'introduction', 'name', 'summary', 'code', 'question', 'paused', 'review', 'board'],
  ...['free', 'invited', 'taken', 'released', 'taken over', 'forgotten', 'handed', 'meddled'],
] as const
export type State = (typeof STATES)[number]

/** The share of worlds that has to meet each cell. */
const LEAST = 0.02

/** The cells and states that a world has met. */
export type Visits = { cells: readonly string[]; states: readonly string[] }

export const cellOf = (step: Step, fate: AimedFate): string => `${step}: ${fate}`

/** A table of the share of worlds that met each cell and each state, and those that were met too rarely. */
export function tableOf(worlds: readonly Visits[]): { table: string; missed: readonly string[] } {
  const share = (has: (visits: Visits) => boolean) => worlds.filter(has).length / worlds.length
  const cell = (step: Step, fate: AimedFate) => share(({ cells }) => cells.includes(cellOf(step, fate)))
  const state = (name: string) => share(({ states }) => states.includes(name))
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`
  const rows = STEPS.map((step) =>
    [step.padEnd(10), ...FATES.map((fate) => percent(cell(step, fate)).padStart(13))].join(' '),
  )
  const missed = [
    ...STEPS.flatMap((step) =>
      FATES.filter((fate) => cell(step, fate) < LEAST).map((fate) => cellOf(step, fate)),
    ),
    ...STATES.filter((name) => state(name) < LEAST),
  ]
  const heading = [' '.repeat(10), ...FATES.map((fate) => fate.padStart(13))].join(' ')
  const states = STATES.map((name) => `${name} ${percent(state(name))}`).join(', ')
  return { table: [heading, ...rows, states].join('\n'), missed }
}

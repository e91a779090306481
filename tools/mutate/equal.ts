import type { Mutant } from './mutants.ts'

/** A change that no test can notice, as `npm run mutate` lists it, and why none can. */
export type Equal = { file: string; code: string; instead: string; why: string }

const equal = (file: string, code: string, instead: string, why: string): Equal => ({
  file: `src/${file}`,
  code,
  instead,
  why,
})

/** What is counted apart. */
export const equals: readonly Equal[] = [
  equal('domain/profile.ts', 'minAge > 0', '(minAge) >= (0)', 'that it is not 0 was asked before'),
  equal('domain/profile.ts', 'maxAge > 0', '(maxAge) >= (0)', 'that it is not 0 was asked before'),
  equal(
    'domain/roadmap.ts',
    "isIn(assignee, 'taken', 'over') ? [assignee] : []",
    '[assignee]',
    'whoever has not taken it has no account, or no chat',
  ),
]

export const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 90)

/** A mutant as it is listed. */
export const change = ({ code, start, end, instead }: Mutant & { code: string }): string =>
  `${short(code.slice(start, end))}  →  ${short(instead)}`

export const isOf = (
  mutant: Mutant & { file: string; code: string },
  { file, code, instead }: Equal,
): boolean => mutant.file === file && change(mutant) === `${short(code)}  →  ${short(instead)}`

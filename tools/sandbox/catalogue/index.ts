import { choices } from './choices.ts'
import { talk, together } from './couple.ts'
import { home, parenting } from './family.ts'
import { life } from './life.ts'
import { mood } from './mood.ts'
import { panorama } from './panorama/index.ts'
import { sleep } from './sleep.ts'
import { teen } from './teen.ts'
import type { TestDefinition } from './test.ts'
import { traitsTest } from './traits.ts'
import { week } from './week.ts'
import { women } from './women.ts'

/** All tests of the sandbox. They were written for it as samples; none is a protected instrument. */
export const catalogue: readonly TestDefinition[] = [
  mood,
  sleep,
  life,
  traitsTest,
  panorama,
  choices,
  week,
  women,
  teen,
  home,
  parenting,
  together,
  talk,
]

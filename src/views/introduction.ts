import type { ResultTo } from '../domain/invitation.ts'
import type { TestInfo } from '../domain/record/record.ts'
import { FIRST_LANGUAGE } from '../texts/languages.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import {
  type Button,
  button,
  dayTimeText,
  inMessages,
  lines,
  paragraphs,
  timeText,
  type View,
} from './view.ts'

/** What every introduction contains. `until`: when the invitation that led here ends. */
type Introduction = {
  s: string
  until?: number | undefined
  welcomeText?: string | undefined
  resultTo: ResultTo
  retentionDays: number
  allowBack: boolean
}

/** Says what the test is, who asks and who will see the answers; beginning is the consent. */
export function introductionView(t: Translate, introduction: Introduction & { test: TestInfo }): View {
  const { test, resultTo } = introduction
  const { title, questions, minutes, limits } = test
  const extent = [
    ...(questions ? [t('intro-questions', { count: questions })] : []),
    ...(minutes ? [t('intro-minutes', { minutes: Math.ceil(minutes) })] : []),
  ]
  const ages = agesText(t, limits)
  const facts = lines(
    t('intro-title', { title }),
    extent.join(t('intro-joint')),
    ages && t('intro-ages', { ages }),
    limits.gender === 'male' && t('intro-men'),
    limits.gender === 'female' && t('intro-women'),
  )
  const head = [t('intro-greeting'), facts]
  return consentView(t, introduction, head, [t(`intro-result-${resultTo}`)])
}

/** Greeting and facts in a few lines, the terms in an expandable quotation; beginning is the consent. */
function consentView(
  t: Translate,
  { s, welcomeText, retentionDays, allowBack, until }: Introduction,
  head: readonly string[],
  receivers: readonly string[],
  shared?: string | false,
): View {
  const terms = paragraphs(
    receivers,
    `${t(allowBack ? 'intro-back' : 'intro-no-back')} ${t('intro-pause')}`,
    t('intro-organizer-sees'),
    t('intro-privacy', { days: Math.ceil(retentionDays) }),
  )
  return {
    ...inMessages(
      welcomeText !== undefined && t('intro-welcome', { text: welcomeText }),
      head,
      t.language !== FIRST_LANGUAGE && t('intro-language'),
      until !== undefined && t('intro-until', { time: dayTimeText(t, until) }),
      `<blockquote expandable>${terms}</blockquote>`,
      shared,
      t('intro-consent'),
    ),
    keyboard: beginRow(t, s),
  }
}

export const beginRow = (t: Translate, s: string): Button[][] => [
  [button(t.plain('button-begin'), buttons.begin.data(s), 'success')],
]

/** «این آزمون برای ۱۸ تا ۶۵ ساله‌هاست» and its one-sided forms; `undefined` without limits. */
export function agesText(t: Translate, { minAge, maxAge }: Omit<TestInfo['limits'], 'gender'>) {
  if (minAge !== null && maxAge !== null) return t.plain('ages-between', { min: minAge, max: maxAge })
  if (minAge !== null) return t.plain('ages-from', { min: minAge })
  if (maxAge !== null) return t.plain('ages-to', { max: maxAge })
  return undefined
}

export const refreshRow = (t: Translate, s: string): Button[][] => [
  [button(t.plain('button-refresh'), buttons.refresh.data(s))],
]

type Waiting = { s: string; title: string; checkedAt?: number }

/** Status 0: the organizer has to act first. */
export function waitingView(t: Translate, { s, title, checkedAt }: Waiting): View {
  return {
    text: paragraphs(
      t('waiting', { title }),
      checkedAt !== undefined && t('waiting-checked', { time: timeText(t, checkedAt) }),
    ),
    keyboard: refreshRow(t, s),
  }
}

const testLines = (t: Translate, tests: readonly string[]): string[] =>
  tests.map((title) => t('hand-intro-test', { title }))

type RoadmapIntroduction = Introduction & {
  title: string
  roles: readonly { title: string; tests: readonly string[] }[]
}

/** Says what the roadmap is, who takes part, who receives the report, and that an AI analysis is made. */
export function roadmapIntroductionView(t: Translate, introduction: RoadmapIntroduction): View {
  const { roles } = introduction
  const isSeveral = roles.length > 1
  const count = roles.reduce((sum, { tests }) => sum + tests.length, 0)
  const texts = roles.map(({ title: role, tests }) =>
    lines(isSeveral && t('board-role', { role }), testLines(t, tests)),
  )
  return packageView(t, introduction, isSeveral, [t('roadmap-intro', { count }), ...texts])
}

type RoleIntroduction = Introduction & {
  title: string
  role: string
  tests: readonly string[]
  /** The first name of the person who invites. */
  by?: string | undefined
}

/** The introduction for a person who was invited to a role; beginning is the consent. */
export function roleIntroductionView(t: Translate, introduction: RoleIntroduction): View {
  const { role, tests, by } = introduction
  const inviter = by === undefined ? [] : [t('hand-invited-by', { name: by })]
  return packageView(t, introduction, true, [
    ...inviter,
    lines(t('hand-intro', { role, count: tests.length }), testLines(t, tests)),
  ])
}

function packageView(
  t: Translate,
  introduction: Introduction & { title: string },
  isSeveral: boolean,
  about: readonly string[],
): View {
  const { title, resultTo } = introduction
  const head = [t('intro-greeting-roadmap'), t('intro-title', { title }), ...about]
  const receivers = [t(`roadmap-result-${resultTo}`), t('roadmap-analysis')]
  return consentView(t, introduction, head, receivers, isSeveral && sharedText(t, resultTo))
}

/** Says outside of the quotation that the others see the results, where they do. */
export const sharedText = (t: Translate, resultTo: ResultTo): string | false =>
  resultTo !== 'organizer' && t('roadmap-result-shared')

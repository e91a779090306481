import type { ResultTo } from '../domain/invitation.ts'
import type { TestInfo } from '../domain/record/record.ts'
import { FIRST_LANGUAGE } from '../texts/languages.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { timeText } from './times.ts'
import { button, type View } from './view.ts'

/** What of the settings every introduction says. */
export type IntroductionTerms = {
  organizerName: string
  welcomeText?: string | undefined
  resultTo: ResultTo
  retentionDays: number
  allowBack: boolean
}

type Introduction = IntroductionTerms & { s: string; test: TestInfo }

/** Says what the test is, who asks and who will see the answers; beginning is the consent. */
export function introductionView(t: Translate, introduction: Introduction): View {
  const { s, test, organizerName: organizer, resultTo } = introduction
  const { questions, minutes, limits } = test
  const extent = [
    ...(questions ? [t('intro-questions', { count: questions })] : []),
    ...(minutes ? [t('intro-minutes', { minutes: Math.ceil(minutes) })] : []),
  ]
  const facts = [...(extent.length > 0 ? [extent.join(t('intro-joint'))] : []), ...limitLines(t, limits)]
  const head = [
    t('intro-greeting', { organizer }),
    [t('intro-title', { title: test.title }), ...facts].join('\n'),
  ]
  return consentView(t, s, introduction, { head, receivers: t(`intro-result-${resultTo}`, { organizer }) })
}

/** The greeting and what it is, in a few lines; the terms in a quotation that opens; beginning is the consent. */
export function consentView(
  t: Translate,
  s: string,
  { welcomeText, retentionDays, allowBack }: IntroductionTerms,
  { head, receivers, more = [] }: { head: readonly string[]; receivers: string; more?: readonly string[] },
): View {
  const terms = [
    receivers,
    ...more,
    `${t(allowBack ? 'intro-back' : 'intro-no-back')} ${t('intro-pause')}`,
    t('intro-organizer-sees'),
    t('intro-privacy', { days: Math.ceil(retentionDays) }),
  ].join('\n\n')
  return {
    text: [
      ...(welcomeText === undefined ? [] : [t('intro-welcome', { text: welcomeText })]),
      ...head,
      ...(t.language === FIRST_LANGUAGE ? [] : [t('intro-language')]),
      `<blockquote expandable>${terms}</blockquote>`,
      t('intro-consent'),
    ].join('\n\n'),
    keyboard: [[button(t.plain('button-begin'), buttons.begin.data(s), 'success')]],
  }
}

function limitLines(t: Translate, { minAge, maxAge, gender }: TestInfo['limits']): string[] {
  const ages = agesText(t, { minAge, maxAge })
  return [
    ...(ages ? [t('intro-ages', { ages })] : []),
    ...(gender === 'male' ? [t('intro-men')] : []),
    ...(gender === 'female' ? [t('intro-women')] : []),
  ]
}

/** «این آزمون برای ۱۸ تا ۶۵ ساله‌هاست» and its one-sided forms; `undefined` without limits. */
export function agesText(
  t: Translate,
  { minAge, maxAge }: Pick<TestInfo['limits'], 'minAge' | 'maxAge'>,
): string | undefined {
  if (minAge !== null && maxAge !== null) return t.plain('ages-between', { min: minAge, max: maxAge })
  if (minAge !== null) return t.plain('ages-from', { min: minAge })
  if (maxAge !== null) return t.plain('ages-to', { max: maxAge })
  return undefined
}

/** Status 0: the organizer has to act first. */
export function waitingView(
  t: Translate,
  waiting: { s: string; title: string; organizerName: string; organizerContact: string; checkedAt?: number },
): View {
  const { s, title, organizerName, organizerContact, checkedAt } = waiting
  return {
    text: [
      t('waiting', { title, organizer: organizerName, contact: organizerContact }),
      ...(checkedAt === undefined ? [] : [t('waiting-checked', { time: timeText(t, checkedAt) })]),
    ].join('\n\n'),
    keyboard: [[button(t.plain('button-refresh'), buttons.refresh.data(s))]],
  }
}

type RoadmapIntroduction = IntroductionTerms & {
  s: string
  title: string
  roles: readonly { title: string; tests: readonly string[] }[]
}

/** Says what the package is, who takes part, who receives the report, and that an AI analysis is made. */
export function roadmapIntroductionView(t: Translate, introduction: RoadmapIntroduction): View {
  const { s, title, roles, organizerName: organizer, resultTo } = introduction
  const isSeveral = roles.length > 1
  const head = [
    t('intro-greeting-roadmap', { organizer }),
    t('intro-title', { title }),
    t('roadmap-intro', { count: roles.reduce((sum, { tests }) => sum + tests.length, 0) }),
    ...roles.map(({ title: role, tests }) =>
      [
        ...(isSeveral ? [t('board-role', { role })] : []),
        ...tests.map((test) => t('hand-intro-test', { title: test })),
      ].join('\n'),
    ),
  ]
  const receivers = receiversText(t, { organizer, resultTo, isSeveral })
  return consentView(t, s, introduction, { head, receivers, more: [t('roadmap-analysis')] })
}

/** Who receives the combined report, and whose results they see in it: consent names both. */
export function receiversText(
  t: Translate,
  { organizer, resultTo, isSeveral }: { organizer: string; resultTo: ResultTo; isSeveral: boolean },
): string {
  const text = t(`roadmap-result-${resultTo}`, { organizer })
  return isSeveral && resultTo !== 'organizer' ? `${text} ${t('roadmap-result-shared')}` : text
}

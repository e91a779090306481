import type { TestInfo } from '../domain/record/record.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { receiversText } from './hand-over.ts'
import { timeText } from './times.ts'
import { button, type View } from './view.ts'

type Introduction = {
  s: string
  test: TestInfo
  organizerName: string
  resultTo: 'participant' | 'organizer' | 'both'
  retentionDays: number
}

const receivers = {
  participant: 'intro-result-participant',
  organizer: 'intro-result-organizer',
  both: 'intro-result-both',
} as const

/** Says what the test is, who asks and who will see the answers; beginning is the consent. */
export function introductionView(t: Translate, introduction: Introduction): View {
  const { s, test, organizerName, resultTo, retentionDays } = introduction
  const facts = [
    ...(test.questions ? [t('intro-questions', { count: test.questions })] : []),
    ...(test.minutes ? [t('intro-minutes', { minutes: Math.ceil(test.minutes) })] : []),
    ...limitLines(t, test.limits),
  ]
  return {
    text: [
      t('intro-title', { title: test.title }),
      t('intro-organizer', { organizer: organizerName }),
      ...(facts.length > 0 ? [facts.join('\n')] : []),
      t(receivers[resultTo], { organizer: organizerName }),
      t('intro-privacy', { days: Math.ceil(retentionDays) }),
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

/** «۱۸ تا ۶۵ سال» and its one-sided forms; `undefined` without limits. */
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

type RoadmapIntroduction = Pick<Introduction, 's' | 'organizerName' | 'resultTo' | 'retentionDays'> & {
  title: string
  roles: readonly { title: string; tests: readonly string[] }[]
}

/** Says what the package is, who takes part, who receives the report, and that an AI analysis is made. */
export function roadmapIntroductionView(t: Translate, introduction: RoadmapIntroduction): View {
  const { s, title, roles, organizerName: organizer, resultTo, retentionDays } = introduction
  const isSeveral = roles.length > 1
  return {
    text: [
      t('intro-title', { title }),
      t('intro-organizer', { organizer }),
      t('roadmap-intro', { count: roles.reduce((sum, { tests }) => sum + tests.length, 0) }),
      ...roles.map(({ title: role, tests }) =>
        [
          ...(isSeveral ? [t('board-role', { role })] : []),
          ...tests.map((test) => t('hand-intro-test', { title: test })),
        ].join('\n'),
      ),
      receiversText(t, { organizer, resultTo, isSeveral }),
      t('roadmap-analysis'),
      t('intro-privacy', { days: Math.ceil(retentionDays) }),
      t('intro-consent'),
    ].join('\n\n'),
    keyboard: [[button(t.plain('button-begin'), buttons.begin.data(s), 'success')]],
  }
}

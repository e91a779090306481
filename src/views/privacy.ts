import type { Config } from '../config.ts'
import type { Account } from '../domain/account.ts'
import { accountDays } from '../domain/durations.ts'
import { isOutside, type QuietHours } from '../domain/watch.ts'
import { LANGUAGE_CODES, type Language } from '../texts/languages.ts'
import type { Texts, Translate } from '../texts/texts.ts'
import { buttons, tick } from './buttons.ts'
import { button, fitsMessage, lines, MOST_ROWS, packMessages, paragraphs, rowsOf, type View } from './view.ts'

type Keeper = Pick<Config, 'retentionDays'> & Partial<Pick<Config, 'privacyUrl' | 'securityContact'>>

/** What is stored, where and how long, and who is responsible for it. */
export function privacyView(
  t: Translate,
  { privacyUrl: url, securityContact: security, retentionDays }: Keeper,
): View {
  const terms = { days: Math.ceil(retentionDays), accountDays: accountDays(retentionDays) }
  return {
    text: paragraphs(
      t('privacy', terms),
      url && t('privacy-policy', { url }),
      security && t('privacy-security', { security }),
    ),
  }
}

const HOURS = [9, 12, 15, 18, 21]

type Settings = Pick<Account, 'isLarge' | 'remindHour' | 'noReminders'> & {
  language: Language
  quiet: QuietHours
}

/** The settings: every language in its own words, the text size, and the time of reminders. */
export function settingsView(texts: Texts, settings: Settings): View {
  const { language, isLarge, remindHour, noReminders, quiet } = settings
  const t = texts.for(language)
  const translates = LANGUAGE_CODES.map((code) => texts.for(code))
  const hours = HOURS.filter((hour) => isOutside(quiet, hour)).map((hour) => {
    const mark = tick(hour === remindHour && !noReminders)
    return button(t.plain('button-hour', { mark, hour }), buttons.hour.data(hour))
  })
  const reminders = noReminders
    ? button(t.plain('button-reminders-on'), buttons.remind.data('on'))
    : button(t.plain('button-no-reminders'), buttons.remind.data('off'))
  return {
    text: paragraphs(t('settings'), translates.map((each) => each('language-ask')).join('\n')),
    keyboard: [
      ...translates.map((each) => {
        const label = `${tick(each.language === language)}${each.plain('language-name')}`
        return [button(label, buttons.lang.data(each.language))]
      }),
      [
        button(
          t.plain('button-large-on', { mark: tick(isLarge === true) }),
          buttons.large.data(isLarge ? 'off' : 'on'),
        ),
      ],
      ...rowsOf(hours, 2, language),
      [reminders],
    ],
  }
}

export type Kept = {
  /** Last time's name, birth, gender and mobile. */
  hasDetails?: boolean
  /** Unfinished details. */
  profiles: number
  /** Tests whose answers are stored here. */
  attempts: number
  finished: number
  /** Opened invitations of which nothing else is stored. */
  links: number
  unsent: { s: string; title: string }[]
}

const KINDS = ['profiles', 'attempts', 'finished', 'links'] as const

/** Lists what is stored about this account before the deletion, with warnings of unsent answers first. */
export function forgetView(t: Translate, kept: Kept): View {
  const { unsent } = kept
  const details = kept.hasDetails ? [t('forget-details')] : []
  const counted = KINDS.filter((kind) => kept[kind] > 0).map((kind) =>
    t(`forget-${kind}`, { count: kept[kind] }),
  )
  const all = [...details, ...counted]
  const warnings = unsent.map(({ title }) => t('forget-unsent', { title }))
  const rest = paragraphs(
    all.length === 0 ? t('forget-nothing') : lines(t('forget-kept'), all),
    t('forget-service'),
    t('forget-history'),
    t('forget-ask'),
  )
  const whole = paragraphs(warnings, rest)
  return {
    ...(fitsMessage(whole) ? { text: whole } : { before: packMessages(warnings), text: rest }),
    keyboard: [
      // The others are in /tests.
      ...unsent
        .slice(0, MOST_ROWS)
        .map(({ s, title }) => [
          button(t.plain('button-forget-send', { title }), buttons.open.data(s), 'success'),
        ]),
      [button(t.plain('button-forget-yes'), buttons.forget.data('yes'), 'danger')],
      [button(t.plain('button-forget-no'), buttons.forget.data('no'))],
    ],
  }
}

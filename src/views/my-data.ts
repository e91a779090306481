import type { Account } from '../domain/account.ts'
import type { ResultTo } from '../domain/invitation.ts'
import type { RecordStage } from '../domain/record/record.ts'
import type { Validity } from '../domain/validity.ts'
import type { ActKind } from '../storage/documents/enrolment-log.ts'
import type { Translate } from '../texts/texts.ts'
import { validityText } from './organizer-notices.ts'

type Optional<T> = { [K in keyof T]?: T[K] | undefined }

/** When, in which language, to which words, for whom the result is. */
export type AgreedTo = Optional<{
  at: string
  language: string
  version: number
  result_goes_to: ResultTo
}>

/** What is kept about a record or roadmap, under the names of the service where it has one. Times are ISO 8601. */
export type KeptRecord = {
  token: string
  kind: 'record' | 'roadmap'
  title: string
  /** What organizers did about it: who has received a result stands here. */
  organizers: { what: ActKind; at: string }[]
} & Optional<{
  stage: RecordStage
  name: string
  case_number: string
  external_id: number
  details: Optional<{ name: string; birth: string; gender: string }>[]
  mobile: string
  /** Of a roadmap: the first names that were typed. */
  people: { role: string; name: string }[]
  consent: AgreedTo
  /** Of whoever may agree for a minor, and of a minor on somebody else's phone. */
  agreements: (AgreedTo & { by: 'guardian' | 'minor'; role?: string | undefined; own_phone: boolean })[]
  result_goes_to: ResultTo
  finished: string
  result_received: string
  answers: { question: string; answer: string }[]
  how_answered: Validity
}>

/** Everything kept about one account. */
export type MyData = {
  at: string
  telegram_id: number
  language: string
  reminders: boolean
  last_active?: string
  /** Who invites, … */
  organizer: string
  /** … and who alone can correct what is registered. */
  corrections: string
  details_for_next_time?: Account['details']
  records: KeptRecord[]
  /** What was asked of the organizers. */
  questions?: { at: string; text: string }[]
}

/** The same for people: a line for each fact, under the words of their language. */
export function readableData(t: Translate, { records, questions = [], ...account }: MyData): string {
  const head = [
    t.plain('mydata-title', { at: account.at }),
    t.plain('mydata-account', { id: String(account.telegram_id), language: account.language }),
    t.plain(account.reminders ? 'mydata-reminders-on' : 'mydata-reminders-off'),
    t.plain('mydata-corrections', { organizer: account.organizer, contact: account.corrections }),
  ]
  const again = account.details_for_next_time
  if (again) head.push(t.plain('mydata-again', again))
  const kept = records.length === 0 ? [t.plain('mydata-nothing')] : records.map((one) => recordText(t, one))
  const asked = questions.map((one) => t.plain('mydata-question', one))
  return `${[head.join('\n'), ...kept, ...asked].join('\n\n')}\n`
}

function recordText(t: Translate, record: KeptRecord): string {
  const { title, token, consent, details = [], answers = [], organizers, people = [] } = record
  const { how_answered: how, agreements = [], result_goes_to: to, result_received: received } = record
  const lines = [
    t.plain('mydata-record', { title, token }),
    ...(record.name ? [t.plain('mydata-name', { name: record.name })] : []),
    ...(record.case_number ? [t.plain('mydata-case', { number: record.case_number })] : []),
    ...(record.external_id === undefined
      ? []
      : [t.plain('mydata-external', { id: String(record.external_id) })]),
    ...details.map(({ name = '', birth = '', gender = '' }) =>
      t.plain('mydata-details', { name, birth, gender }),
    ),
    ...(record.mobile ? [t.plain('mydata-mobile', { mobile: record.mobile })] : []),
    ...people.map((each) => t.plain('mydata-person', each)),
    ...(consent ? [t.plain('mydata-consent', saidOf(consent))] : []),
    ...(to ? [t.plain(`mydata-result-${to}`)] : []),
    ...agreements.map((each) =>
      t.plain(`mydata-agreed-${each.by}`, { ...saidOf(each), role: each.role ?? '' }),
    ),
    ...(record.finished ? [t.plain('mydata-finished', { at: record.finished })] : []),
    ...(received ? [t.plain('mydata-received', { at: received })] : []),
    ...(how ? [validityText(t, how, undefined)] : []),
    ...answers.map((each, at) => t.plain('mydata-answer', { number: at + 1, ...each })),
    ...organizers.map(({ what, at }) => t.plain('mydata-act', { what: t.plain(`act.${what}`), at })),
  ]
  return lines.join('\n')
}

/** Nothing is known of when earlier versions were told, and of which words. */
const saidOf = ({ at = '–', version }: AgreedTo) => ({
  at,
  version: version === undefined ? '–' : String(version),
})

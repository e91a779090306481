import { clean, foldWords } from '../domain/persian/clean.ts'
import type { EndpointName } from './endpoints.ts'
import type { ServiceErrorCode } from './errors.ts'

/** A refusal as it arrived: endpoint, status, and the messages of the envelope. */
export type Refusal = {
  endpoint: EndpointName
  status: number
  messages: readonly string[]
  /** Whether the request had an external id (spec, Errors: a 409 at auth has two meanings). */
  sentExternalId?: boolean
}

type Row = {
  on: readonly EndpointName[] | 'any'
  /** Without it, the row matches any status. */
  status?: readonly number[]
  /** Without it, the row matches any message. */
  says?: RegExp
  sentExternalId?: boolean
  code: ServiceErrorCode
}

const VERIFY = ['verifyRecord', 'verifyRoadmap'] as const
const AUTH = ['authRecord', 'authRoadmap'] as const
const RESULTS = ['recordResultJson', 'recordResultHtml', 'roadmapResultHtml', 'roadmapResultJson'] as const

/** The topic of a message, in English or Persian. Patterns match folded text (see `foldWords`). */
const meaning = {
  draft: /\bdraft\b|پیش ?نویس|(?:کد|توکن|نشست|اعتبارسنجی).*منقضی|\bexpired\b/,
  noSms:
    /sms.*not (?:required|needed)|not (?:required|needed).*sms|پیامک.*(?:لازم نیست|نیاز نیست|نیازی نیست|الزامی نیست)/,
  mobileLimit:
    /(?:mobile|phone).*(?:limit(?!ed to \d+ (?:digit|char))|duplicat|too many)|(?:limit|duplicat|too many).*(?:mobile|phone)|(?:موبایل|همراه|شماره).*(?:سقف|تکرار|محدودیت|بیش از حد)|(?:سقف|محدودیت).*(?:موبایل|همراه|شماره)/,
  roleMismatch:
    /(?:\b(?:age|gender|sex)\b|(?<!\p{L})(?:سنی?|جنسیت|جنس)(?!\p{L})).*(?:role|match|range|between|allowed|permitted|نقش|مطابق|همخوان|سازگار|محدوده|بازه|مجاز)|(?:role|نقش).*(?:\b(?:age|gender|sex)\b|(?<!\p{L})(?:سنی?|جنسیت|جنس)(?!\p{L}))/u,
  externalId: /external[ _-]?id|شناسه ?(?:ی )?(?:خارجی|بیرونی|سازمان)/,
  belongs: /roadmap|نقشه ?(?:ی )?راه/,
  finished:
    /already (?:been )?(?:finished|completed|submitted|answered)|(?:قبلا|پیش ?تر|پیش از این).*(?:تکمیل|پایان|ثبت|پاسخ|ارسال)/,
  profile: /\bprofiles?\b|پروفایل/,
  billing:
    /\bbilling\b|\bcredits?\b|\bpayment\b|\b(?:active )?plan\b|\bvip\b|کمبود اعتبار|اعتبار (?:کافی|ناکافی|حساب)|شارژ|موجودی|اشتراک/,
} as const satisfies Record<string, RegExp>

/** The error table of the specification, with our reading of its gaps. The first matching row decides. */
const errorTable: readonly Row[] = [
  // The service's exact messages, folded.
  { on: VERIFY, says: /^verification draft token is invalid or expired\.$/, code: 'draft_expired' },
  { on: VERIFY, says: /^verification code is invalid\.$/, code: 'code_wrong' },
  {
    on: VERIFY,
    says: /^sms verification is not required for this organizer account\.$/,
    code: 'sms_not_required',
  },

  { on: ['questions', 'submitAnswers'], status: [401], says: meaning.profile, code: 'forbidden' },
  { on: 'any', status: [401], code: 'key_invalid' },
  { on: 'any', status: [402], code: 'billing' },
  { on: 'any', status: [403], code: 'forbidden' },
  { on: 'any', status: [429], code: 'rate_limited' },

  { on: VERIFY, status: [400, 410, 422], says: meaning.noSms, code: 'sms_not_required' },
  { on: VERIFY, status: [400, 404, 410, 422], says: meaning.draft, code: 'draft_expired' },
  { on: VERIFY, status: [400, 422], says: meaning.mobileLimit, code: 'mobile_limit' },
  // The specification has no fourth 400 here: an unknown one is most likely the code, which can be typed
  // again.
  { on: VERIFY, status: [400, 422], code: 'code_wrong' },
  { on: VERIFY, status: [410], code: 'draft_expired' },

  { on: AUTH, status: [400, 422], says: meaning.mobileLimit, code: 'mobile_limit' },
  { on: ['authRoadmap'], status: [400, 422], says: meaning.roleMismatch, code: 'role_mismatch' },
  { on: AUTH, status: [400, 422], code: 'profile_invalid' },
  { on: ['authRoadmap', 'verifyRoadmap'], status: [404, 410], code: 'finished_or_gone' },
  { on: [...AUTH, ...VERIFY], status: [409], says: meaning.externalId, code: 'external_id_taken' },
  { on: [...AUTH, ...VERIFY], status: [409], says: meaning.finished, code: 'already_finished' },
  { on: [...AUTH, ...VERIFY], status: [409], says: meaning.belongs, code: 'belongs_to_roadmap' },
  { on: AUTH, status: [409], sentExternalId: true, code: 'external_id_taken' },
  { on: AUTH, status: [409], code: 'belongs_to_roadmap' },

  // "The status code and message when fetching questions [without a profile]: not shown."
  { on: ['questions'], status: [400, 409, 422], says: meaning.finished, code: 'already_finished' },
  { on: ['questions'], status: [400, 409, 422], code: 'forbidden' },

  // "The status code for billing failure on answer submission: not shown."
  { on: ['submitAnswers', 'generate'], status: [400, 409, 422], says: meaning.billing, code: 'billing' },
  { on: ['submitAnswers'], status: [409], code: 'already_finished' },
  { on: ['generate', 'generationStatus'], status: [409], code: 'not_ready_to_generate' },
  { on: RESULTS, status: [409], code: 'not_finished' },

  { on: 'any', status: [404, 410], code: 'not_found' },
]

/** Returns the code of a refusal. A 5xx is no refusal. */
export function classify(refusal: Refusal): ServiceErrorCode {
  const said = refusal.messages.map((message) => clean(foldWords(message)))
  const row = errorTable.find(
    ({ on, status, says, sentExternalId }) =>
      (on === 'any' || on.includes(refusal.endpoint)) &&
      (!status || status.includes(refusal.status)) &&
      (!says || said.some((message) => says.test(message))) &&
      (sentExternalId === undefined || sentExternalId === Boolean(refusal.sentExternalId)),
  )
  return row?.code ?? 'bad_request'
}

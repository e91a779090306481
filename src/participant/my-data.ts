import { type Composer, InputFile } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { placedQuestions, readAttempt } from '../dialog/attempt.ts'
import { allFiles, assigneeOf } from '../dialog/files.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import {
  type Agreement,
  type Assignee,
  accountOf,
  agreementsOf,
  type Consent,
  consentOf,
} from '../domain/assignee.ts'
import { kindOfFile, type RecordFile } from '../domain/record/record.ts'
import { validityOf } from '../domain/response-validity.ts'
import { roleOf } from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { type ActKind, keptActs } from '../storage/documents/acts.ts'
import { askedQuestions } from '../storage/documents/asked-questions.ts'
import { readDocuments } from '../storage/documents.ts'
import { birthText } from '../views/birth.ts'
import { validityText } from '../views/organizer-notices.ts'
import { genderWord } from '../views/profile.ts'
import { dateTimeText, lines } from '../views/view.ts'

/** The acts of organizers about a record, such as who received a result. Times are ISO 8601. */
type Acts = { what: ActKind; at: string }[]
/** What is stored about a record or roadmap, under the names of the service where it has one. */
type KeptRecord = Awaited<ReturnType<typeof recordOf>>
/** Everything stored about an account: who invites, who alone can correct a profile, what it has asked. */
type MyData = Awaited<ReturnType<typeof gather>>

/** `/mydata`: two files with everything stored about this account, one to read and one for programs. */
export function myData(composer: Composer<IncomingContext>): void {
  composer.command('mydata', async ({ ctx }) => {
    ctx.typing()
    const data = await gather(ctx)
    const { sender } = ctx.deps
    const { chatId } = ctx.account
    const read = new InputFile(Buffer.from(`\uFEFF${readableData(ctx, data)}`), 'my-data.txt')
    const json = new InputFile(Buffer.from(JSON.stringify(data, null, 2)), 'my-data.json')
    await sender.document(chatId, read, ctx.t('mydata-readable'))
    await sender.document(chatId, json, ctx.t('mydata-json'))
  })
}

async function gather(ctx: UpdateContext) {
  const { account, now, language } = ctx
  const records: KeptRecord[] = []
  const files = await allFiles(ctx)
  const acts = await actsOn(ctx, files)
  const ids = account.questions?.map(({ id }) => id) ?? []
  const asked = (await readDocuments(ctx.deps, askedQuestions, ids)).flatMap((each) =>
    each ? [{ at: isoTime(each.at), text: each.text }] : [],
  )
  for (const file of files) records.push(await recordOf(ctx, file, acts.get(file.token) ?? []))
  const { organizerName: organizer, organizerContact: contact } = ctx.deps.config
  return {
    at: isoTime(now),
    telegram_id: account.chatId,
    language,
    organizer,
    corrections: contact,
    reminders: account.noReminders !== true,
    ...(account.remindHour !== undefined && { reminder_hour: account.remindHour }),
    large_text: account.isLarge === true,
    ...(account.activeAt !== undefined && { last_active: isoTime(account.activeAt) }),
    ...(account.details && { details_for_next_time: account.details }),
    records,
    ...(asked.length > 0 && { questions: asked }),
  }
}

/** For a record of another account, or of none: only that it was opened, and this account's consent. */
async function recordOf(ctx: UpdateContext, file: RecordFile, organizers: Acts) {
  const { test, token, parent, deliveredAt } = file
  const own = parent ? undefined : await ownAssignee(ctx, file)
  const consent = consentOf(own)
  const externalId = ctx.account.externalIds?.[file.s]
  return {
    token,
    kind: kindOfFile(file),
    title: test.title,
    ...(externalId !== undefined && { external_id: externalId }),
    ...((await isMine(ctx, file)) && (await detailsOf(ctx, file))),
    ...(consent && { consent: agreementOf(consent) }),
    ...(own && { agreements: agreementsOf(own).map((each) => beside(file, each)) }),
    ...(own && { result_goes_to: resultToOf(ctx.deps.config, file) }),
    ...(own && deliveredAt !== undefined && { result_received: isoTime(deliveredAt) }),
    organizers,
  }
}

const agreementOf = ({ at, language, version, resultTo }: Consent) => ({
  ...{ at: isoTime(at), language, version, result_goes_to: resultTo },
})

/** An agreement beside the consent; in a roadmap with its role. */
const beside = ({ roadmap }: RecordFile, { by, role, isApart, consent }: Agreement) => ({
  by,
  role: roleOf(roadmap, role)?.title,
  own_phone: isApart === true,
  ...(consent && agreementOf(consent)),
})

async function detailsOf(ctx: UpdateContext, file: RecordFile) {
  const { state, finishedAt } = file
  const draft = 'draft' in state ? state.draft : undefined
  return {
    stage: state.stage,
    // In a roadmap each person has only a first name.
    name: file.roadmap ? undefined : (file.shownAs ?? file.person),
    case_number: file.caseNumber,
    external_id: file.externalId,
    details: draft?.people.map(({ name, birth, gender }) => ({ name, birth, gender })),
    sent: draft?.sent,
    mobile: 'sms' in state ? state.sms.mobile : draft?.mobile,
    people: file.roadmap?.roles.flatMap(({ title, name }) => (name ? [{ role: title, name }] : [])),
    finished: finishedAt === undefined ? undefined : isoTime(finishedAt),
    ...(await answersOf(ctx, file)),
  }
}

/** The assignee of the whole or of a role, if it is this account. */
async function ownAssignee(
  ctx: UpdateContext,
  { token, roadmap }: RecordFile,
): Promise<Assignee | undefined> {
  const all = [await assigneeOf(ctx, token), ...(roadmap?.hands.map(({ assignee }) => assignee) ?? [])]
  return all.find((one) => accountOf(one) === ctx.who)
}

/** The questions and answers of a test that is open, or that the service has not accepted yet. */
async function answersOf(ctx: UpdateContext, file: RecordFile) {
  const attempt = await readAttempt(ctx, file.s)
  const placed = attempt && (await placedQuestions(ctx, file))
  if (!attempt || !placed) return undefined
  const given = ctx.deps.vault.attemptCipher.decrypt(attempt)
  const answers = given.answers.map((option, at) => ({
    question: placed[at]?.question.text ?? '',
    answer: placed[at]?.question.options[option]?.label ?? '',
  }))
  return { answers, how_answered: validityOf(attempt, given) }
}

/** The acts of organizers about these records, by token: who received, released, invited, and when. */
async function actsOn(ctx: UpdateContext, files: readonly RecordFile[]) {
  const acts = new Map<string, Acts>(files.map(({ token }) => [token, []]))
  // A table of results has the records that were finished by then.
  const tokensIn = (what: ActKind, at: number) =>
    what === 'results' ? files.flatMap(({ token, finishedAt = at }) => (finishedAt < at ? [token] : [])) : []
  for await (const day of keptActs(ctx.deps, ctx.now))
    for (const { token, what, at } of day)
      for (const each of token === undefined ? tokensIn(what, at) : [token])
        acts.get(each)?.push({ what, at: isoTime(at) })
  return acts
}

const isoTime = (at: number): string => new Date(at).toISOString()

/** The same for people: a line for each fact, in their language. */
function readableData(ctx: UpdateContext, { records, questions = [], ...account }: MyData): string {
  const { t, today } = ctx
  const { reminder_hour: hour, details_for_next_time: again } = account
  const at = (iso: string) => dateTimeText(t, Date.parse(iso))
  const head = [
    t.plain('mydata-title', { at: at(account.at) }),
    t.plain('mydata-account', { id: String(account.telegram_id), language: account.language }),
    t.plain(account.reminders ? 'mydata-reminders-on' : 'mydata-reminders-off'),
    hour !== undefined && t.plain('mydata-reminder-hour', { hour }),
    account.large_text && t.plain('mydata-large'),
    t.plain('mydata-corrections'),
    again &&
      t.plain('mydata-again', {
        ...again,
        birth: birthText(t, again.birth, today),
        gender: genderWord(t, again.gender, again, today),
      }),
  ]
  const kept = records.length === 0 ? [t.plain('mydata-nothing')] : records.map((one) => recordText(ctx, one))
  const asked = questions.map((one) => t.plain('mydata-question', { ...one, at: at(one.at) }))
  return `${[lines(...head), ...kept, ...asked].join('\n\n')}\n`
}

function recordText({ t, today }: UpdateContext, record: KeptRecord): string {
  const { title, token, consent, details = [], answers = [], organizers, people = [] } = record
  const { how_answered: how, agreements = [], result_goes_to: to, result_received: received } = record
  const { name, case_number: number, external_id: id, mobile, finished } = record
  const at = (iso: string | undefined) => (iso === undefined ? UNKNOWN : dateTimeText(t, Date.parse(iso)))
  const said = [
    t.plain('mydata-record', { title, token }),
    name && t.plain('mydata-name', { name }),
    number && t.plain('mydata-case', { number }),
    id !== undefined && t.plain('mydata-external', { id: String(id) }),
    ...details.map((one) => {
      const { name: called, birth, gender } = one
      const given = [called, birth && birthText(t, birth, today), gender && genderWord(t, gender, one, today)]
      const typed = given.filter(Boolean).join(t.plain('intro-joint'))
      return typed && t.plain('mydata-details', { details: typed })
    }),
    mobile && t.plain('mydata-mobile', { mobile }),
    ...people.map((each) => t.plain('mydata-person', each)),
    consent && t.plain('mydata-consent', { at: at(consent.at), version: versionOf(consent) }),
    to && t.plain(`mydata-result-${to}`),
    ...agreements.map((each) => {
      const agreed = { at: at(each.at), version: versionOf(each) }
      const { by, role } = each
      return role === undefined
        ? t.plain('mydata-agreed-guardian', agreed)
        : t.plain(`mydata-agreed-${by}-of`, { ...agreed, role })
    }),
    finished && t.plain('mydata-finished', { at: at(finished) }),
    received && t.plain('mydata-received', { at: at(received) }),
    how && validityText(t, how, undefined),
    ...answers.map((each, index) => t.plain('mydata-answer', { number: index + 1, ...each })),
    ...organizers.map((act) => t.plain('mydata-act', { what: t.plain(`act.${act.what}`), at: at(act.at) })),
  ]
  return lines(...said)
}

/** Former versions stored neither the time of a consent nor the version of its text. */
const UNKNOWN = '–'
const versionOf = ({ version }: { version?: number | undefined }): string => String(version ?? UNKNOWN)

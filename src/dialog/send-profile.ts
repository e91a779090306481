import { type Draft, type Person, profileProblems } from '../domain/profile.ts'
import { externalIdsOf, isIn, type RecordFile, type Refusal } from '../domain/record/record.ts'
import {
  codeSent,
  finishedElsewhere,
  move,
  profileNotSent,
  profileReopened,
  registeredAsOthers,
} from '../domain/record/transitions.ts'
import { missingRoles, rolesAwaited } from '../domain/roadmap.ts'
import type { Failure, OutcomeOf } from '../jobs/call-table.ts'
import { watchJobs } from '../jobs/watch-jobs.ts'
import { talks } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { smsUnclearView, waitText } from '../views/code.ts'
import { failureView } from '../views/failure.ts'
import { problemsView } from '../views/profile.ts'
import { button } from '../views/view.ts'
import { callService, isPending, onBehalf, postSubmission } from './call.ts'
import type { Due } from './due.ts'
import type { IncomingContext } from './incoming.ts'
import { failed, notifyOrganizers, notifyUnverified } from './notify-organizers.ts'
import { takeProfile } from './profile-made.ts'
import { endDetails, giveDetails, givenElsewhere } from './role-details.ts'
import { isBusyElsewhere, namedHere, sendAbout, sendOneMoment } from './send.ts'
import { countSms, uncountSms } from './sms-limits.ts'
import type { Talk } from './talk.ts'
import { deleteTyped } from './typed-messages.ts'
import type { UpdateContext } from './update-context.ts'

/** How long a draft at the service holds (spec, Limits). */
const DRAFT_MS = 5 * 60_000

/** Another code for the same mobile, or another mobile; all other details stay as they are. */
export async function pressSms(talk: Talk, data: string): Promise<void> {
  const [wish] = buttons.sms.read(data) ?? []
  if (wish === undefined) return talk.refuse()
  if (wish === 'again') return talk.end(({ ctx, file, toast }) => sendProfile(ctx, file, toast))
  await talk.end(({ file }) => void move(file, profileReopened))
  await talk.correct('mobile', 0)
}

/** Sends the profile; everything that the service would refuse is found before an SMS is sent. */
export async function sendProfile(ctx: UpdateContext, file: RecordFile, toast?: IncomingContext['toast']) {
  if (!isIn(file, 'profile', 'code')) return
  if (file.parent) return giveDetails(ctx, file)
  if (isPending(ctx, file.s)) return sendOneMoment(ctx)
  const { testsAuthRequired: sms } = file
  const { draft } = file.state
  const problems = profileProblems(draft, ctx.today)
  const elsewhere = await givenElsewhere(ctx, file)
  if (file.roadmap && rolesAwaited(file.roadmap).length > 0) {
    ctx.due = { show: 'question', file }
    return
  }
  if (problems.length > 0) {
    ctx.due = { show: 'question', file, word: problemsView(ctx.t, problems, draft.people).text }
    return
  }
  const wait = sms ? await countSms(ctx, file, draft.mobile ?? '') : undefined
  if (wait) {
    const text = waitText(ctx.t, wait, isIn(file, 'code'))
    // Only the cooldown is a toast: the other notices say whom to ask for help, and must stay readable.
    if (toast && wait.reason === 'cooldown') await toast(text, true)
    else await ctx.send({ text })
    if (wait.reason === 'bot') return notifyUnverified(ctx)
    if (wait.reason === 'cooldown' || file.codes?.isTold) return
    // No more codes are allowed: the organizers are notified once.
    file.codes = { sent: 0, ...file.codes, isTold: true }
    return notifyOrganizers(ctx, file, 'notice-sms-limit', { title: file.test.title })
  }
  if (!(await isBusyElsewhere(ctx, file))) ctx.close(ctx.t(sms ? 'profile-sending-sms' : 'profile-sending'))
  const { s, token, roadmap } = file
  const call = roadmap
    ? ({ kind: 'authRoadmap', token, sms, roles: wireRoles(file, draft, elsewhere) } as const)
    : ({ kind: 'auth', token, sms, profile: wireApplicant(file, draft) } as const)
  await callService(ctx, s, call)
}

/** The details of each role, as the service takes them. */
export const wireRoles = (
  { roadmap }: RecordFile,
  { people, mobile = '' }: Draft,
  elsewhere: ReadonlyMap<number, Person>,
) => ({
  mobile,
  roles: (roadmap ? missingRoles(roadmap) : []).flatMap(({ id, externalId }) => {
    const person = elsewhere.get(id) ?? people.find(({ role }) => role?.id === id)
    return person ? [{ id, profile: { ...wireProfile(person), ...wireId(externalId) } }] : []
  }),
})

/** The details for a standalone record, as the service takes them. */
export const wireApplicant = ({ externalId }: RecordFile, { people, mobile = '' }: Draft) => ({
  ...wireProfile(people[0] ?? {}),
  mobile,
  ...wireId(externalId),
})

const wireId = (id: number | undefined) => (id === undefined ? {} : { external_id: id })

const wireProfile = ({ name = '', birth = '', gender }: Partial<Person>) => ({
  name,
  birth,
  is_male: gender === 'male',
})

/** Takes the service's answer to the profile: it is made, or waits for its SMS code. */
export async function profileSent(
  ctx: UpdateContext,
  file: RecordFile,
  outcome: OutcomeOf<'auth' | 'authRoadmap'>,
): Promise<void> {
  if (!isIn(file, 'profile', 'code')) return
  const { mobile = '' } = file.state.draft
  if (!outcome.ok) {
    // No SMS was sent. (Refusals after an SMS come to `codeVerified`.)
    if (file.testsAuthRequired && outcome.code !== 'sms_unclear') await uncountSms(ctx, file, mobile)
    return profileRefused(ctx, file, outcome)
  }
  if (!outcome.value.tests_auth_required) {
    if (outcome.isEarlier) await sendAbout(ctx, file, 'registered-as-sent')
    // The policy changed since the record was read: no SMS was sent.
    if (file.testsAuthRequired) await uncountSms(ctx, file, mobile)
    return takeProfile(ctx, file, outcome.value)
  }
  const draftToken = outcome.value.draft_token
  if (!file.testsAuthRequired) {
    // The policy changed since the record was read: an SMS was sent that is not counted yet.
    file.testsAuthRequired = true
    await countSms(ctx, file, mobile)
  }
  const expiresAt = ctx.now + DRAFT_MS
  ctx.work.note('sms-sent')
  move(file, codeSent, { draftToken, mobile, expiresAt })
  file.codes = { ...file.codes, sent: (file.codes?.sent ?? 0) + 1 }
  watchJobs.timer.post(
    ctx.work,
    file.s,
    { s: file.s, onBehalf: await onBehalf(ctx), event: { kind: 'code-expired', draftToken } },
    { dueAt: expiresAt, replace: true },
  )
  ctx.due = { show: 'question', file }
}

/** The question of the dialog, after a refusal, if there was one. */
export function questionAfter({ t }: UpdateContext, file: RecordFile, refusal: Refusal | undefined): Due {
  const due = { show: 'question', file, refusal, word: file.word } as const
  if (refusal === undefined || !isIn(file, 'profile', 'code')) return due
  if (refusal === 'sms_unclear') return { ...due, view: smsUnclearView(t, file.state.draft.mobile ?? '') }
  const entry = { ask: 'mobile', person: 0, isCorrection: true } as const
  return { ...due, word: t('failure-mobile-limit'), entry }
}

/** Tells the participant what the service refused in the profile, and leads to what has to be corrected. */
export async function profileRefused(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  if (!isIn(file, 'profile', 'code')) return
  const { t } = ctx
  move(file, profileNotSent, ctx.now)
  // A 404 has two meanings (spec, Errors); reading the roadmap or the record tells which one.
  if (file.roadmap && ['finished_or_gone', 'already_finished', 'not_found'].includes(failure.code))
    return callService(ctx, file.s, { kind: 'openRoadmap', token: file.token })
  if (failure.code === 'not_found') return callService(ctx, file.s, { kind: 'open', token: file.token })
  // For a roadmap this means that our call was wrong, which the participant cannot correct.
  if (file.roadmap && failure.code === 'belongs_to_roadmap')
    return failed(ctx, file, { ...failure, code: 'forbidden' })
  switch (failure.code) {
    case 'sms_unclear':
      ctx.due = questionAfter(ctx, file, failure.code)
      return
    case 'mobile_limit':
      move(file, profileReopened)
      // The organizers are notified once.
      if (!file.isMobileLimitTold)
        await notifyOrganizers(ctx, file, 'notice-mobile-limit', { title: file.test.title })
      file.isMobileLimitTold = true
      ctx.due = questionAfter(ctx, file, failure.code)
      return
    case 'profile_invalid':
    case 'role_mismatch':
    case 'bad_request': {
      move(file, profileReopened)
      const { reason } = failure
      const word = reason ? t('failure-profile-reason', { reason }) : t('failure-profile')
      ctx.due = { show: 'question', file, word }
      return
    }
    case 'registered_elsewhere':
      return registeredElsewhere(ctx, file)
    case 'belongs_to_roadmap':
    case 'already_finished':
      return finished(ctx, file, failure)
    case 'external_id_taken':
      move(file, profileReopened)
      await askForExternalId(ctx, file)
      return failed(ctx, file, failure)
    case 'key_invalid':
    case 'forbidden':
    case 'billing':
    case 'finished_or_gone':
    case 'not_finished':
    case 'draft_expired':
    case 'code_wrong':
    case 'sms_not_required':
    case 'not_ready_to_generate':
    case 'questions_unreadable':
    case 'rate_limited':
    case 'no_slot':
    case 'too_late':
    case 'unavailable':
    case 'unreadable':
      return failed(ctx, file, failure)
  }
  failure.code satisfies never
}

/** Another account registered the record with other details: nothing of it is kept, and no answer is sent. */
export async function registeredElsewhere(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (!move(file, registeredAsOthers)) return
  await endDetails(ctx, file)
  ctx.work.remove(talks, file.s)
  await notifyOrganizers(ctx, file, 'notice-registered-elsewhere', { title: file.test.title })
  await deleteTyped(ctx, file, 'typed-withdrawn')
  await ctx.send(await namedHere(ctx, file, failureView(ctx.t, 'registered_elsewhere', file.s)))
}

async function finished(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  const isPart = failure.code === 'belongs_to_roadmap'
  move(file, finishedElsewhere, isPart ? { ofRoadmap: true } : {})
  await endDetails(ctx, file)
  await deleteTyped(ctx, file, 'typed-withdrawn')
  if (isIn(file, 'submitting')) {
    // Complete answers waited for the profile.
    await sendAbout(ctx, file, 'submit-again')
    return postSubmission(ctx, file)
  }
  await ctx.send(await namedHere(ctx, file, failureView(ctx.t, failure.code, file.s)))
}

/** The participant cannot correct an id that is already taken, so the organizers are asked. */
async function askForExternalId(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s, test } = file
  const ids = externalIdsOf(file)
  const notice = { title: test.title, id: ids.join(', ') }
  await notifyOrganizers(ctx, file, 'notice-external-id', notice, {
    buttons: (organizer) => [
      [button(organizer.plain('button-external-id-drop'), buttons.extid.data(s, 'drop'))],
      [button(organizer.plain('button-external-id-new'), buttons.extid.data(s, 'new'))],
    ],
  })
}

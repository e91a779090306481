import { ageOn } from '../domain/persian/age.ts'
import { firstName } from '../domain/persian/first-name.ts'
import { ADULT_AGE, type Draft, type Person } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, profileMade } from '../domain/record/transitions.ts'
import { assignmentOf } from '../domain/roadmap.ts'
import type { RoadmapVerifyReply, VerifyReply } from '../service/endpoints.ts'
import { talks } from '../storage/documents/kinds.ts'
import type { Vault } from '../storage/vault.ts'
import { whoView } from '../views/board.ts'
import { postSubmission } from './call.ts'
import { endDetails, givenElsewhere } from './role-details.ts'
import { sendAbout, sendText } from './send.ts'
import { deleteTyped } from './typed-messages.ts'
import { leadTo, type UpdateContext } from './update-context.ts'

type Made = VerifyReply | RoadmapVerifyReply

/** The profile exists: the draft and the typed messages are deleted, and the next question is shown. */
export async function takeProfile(ctx: UpdateContext, file: RecordFile, reply: Made): Promise<void> {
  if (!isIn(file, 'profile', 'code')) return
  const { people } = file.state.draft
  const elsewhere = file.roadmap ? await givenElsewhere(ctx, file) : new Map<number, Person>()
  const words = isIn(file, 'code') ? 'typed-deleted-sms' : 'typed-deleted'
  const caseNumber = 'profile' in reply ? reply.profile?.case_number : undefined
  if (caseNumber) file.caseNumber = caseNumber
  file.shownAs = profileNames(reply)
  noteDetails(ctx, file.state.draft)
  move(file, profileMade)
  delete file.codes
  ctx.work.remove(talks, file.s)
  await deleteTyped(ctx, file, words)
  notePeople(ctx, file, people, elsewhere)
  await endDetails(ctx, file)
  if (isIn(file, 'board')) await sendText(ctx, 'board-begin')
  await askWho(ctx, file)
  if (!isIn(file, 'submitting')) return leadTo(ctx, file)
  // Complete answers waited for the profile.
  await sendAbout(ctx, file, 'submit-again')
  await postSubmission(ctx, file)
}

/** A keyed hash that shows that two tests are of the same person, but not of whom. */
export const personKey = (
  vault: Vault,
  { name, birth, isMale }: { name: string; birth: string; isMale: boolean },
): string => vault.hash('person', [name, birth, isMale].join('\n'))

/** If several people answer here, a message asks which of them owns this phone; it goes when one is left. */
export async function askWho(ctx: UpdateContext, { s, roadmap }: RecordFile): Promise<void> {
  if (!roadmap || roadmap.ownerRole !== undefined) return
  const held = roadmap.roles.filter(({ id }) => !assignmentOf(roadmap, id))
  const asked = roadmap.whoAsked
  delete roadmap.whoAsked
  if (held.length > 1) {
    const messageId = await ctx.show(asked, whoView(ctx.t, s, held))
    if (messageId !== undefined) roadmap.whoAsked = messageId
  } else if (asked !== undefined) ctx.deleteMessages([asked])
}

/** Keeps the details of a single person, to offer them next time. */
function noteDetails({ account }: UpdateContext, { people, mobile }: Draft): void {
  const [person, other] = people
  const { name, birth, gender } = person ?? {}
  if (!other && name !== undefined && birth !== undefined && gender && mobile !== undefined)
    account.details = { name, birth, gender, mobile }
}

/** The names as the service shows them. */
function profileNames(reply: Made): string | undefined {
  const profiles = 'roles' in reply ? reply.roles.map(({ profile }) => profile) : [reply.profile]
  return profiles.flatMap((profile) => profile?.name ?? []).join('، ') || undefined
}

/**
 * Keeps only the first names of the typed details, so that a test is not taken for another person's. A
 * guardian who has agreed here is not asked again; a child's own account asks once more.
 */
function notePeople(
  { today, deps }: UpdateContext,
  file: RecordFile,
  people: readonly Person[],
  elsewhere: ReadonlyMap<number, Person>,
): void {
  const [own] = people
  if (!file.roadmap && own?.name !== undefined) {
    const { name, birth, gender } = own
    file.person = firstName(name)
    if (birth && gender) file.personKey = personKey(deps.vault, { name, birth, isMale: gender === 'male' })
  }
  if (people.some(({ guardian }) => guardian)) file.guardian = 'agreed'
  for (const role of file.roadmap?.roles ?? []) {
    const own = people.find((each) => each.role?.id === role.id)
    const person = own ?? elsewhere.get(role.id)
    if (person?.birth !== undefined && ageOn(person.birth, today) < ADULT_AGE) role.isMinor = true
    if (own?.guardian) role.guardian = true
    if (person?.name !== undefined) role.name = firstName(person.name)
  }
}

import { accountOf, isAssignee } from '../domain/assignee.ts'
import { firstName } from '../domain/persian/first-name.ts'
import { type Person, profileProblems } from '../domain/profile.ts'
import { hasProfile, isIn, type RecordFile } from '../domain/record/record.ts'
import { detailsGiven, move, recordPutBack } from '../domain/record/transitions.ts'
import { assignmentOf, missingRoles, type RoleAssignment, recordsOf, roleOf } from '../domain/roadmap.ts'
import { postEvent } from '../queue/chat-message.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { recordFiles, talks } from '../storage/documents/kinds.ts'
import { problemsView } from '../views/profile.ts'
import { membersHere } from './access.ts'
import { parentOf } from './files.ts'
import { deleteTyped } from './typed-messages.ts'
import { leadTo, type UpdateContext } from './update-context.ts'

/**
 * The file in which the person of a role gives their details before the registration: that of their first
 * test, or of the test that was first when they began.
 */
export async function detailsFile({ work }: UpdateContext, { roadmap }: RecordFile, role: number) {
  const records = roadmap ? recordsOf(roadmap, role) : []
  const files = await Promise.all(records.map(({ s }) => work.get(recordFiles, s)))
  return files.find((file) => file && isIn(file, 'profile', 'given')) ?? files[0]
}

/** The details given on other phones, by role; details that are no longer stored are asked for again. */
export async function givenElsewhere(ctx: UpdateContext, whole: RecordFile): Promise<Map<number, Person>> {
  const given = new Map<number, Person>()
  for (const { id } of whole.roadmap ? missingRoles(whole.roadmap) : []) {
    const hand = whole.roadmap && assignmentOf(whole.roadmap, id)
    const file = hand?.hasGiven && (await detailsFile(ctx, whole, id))
    const [person] = file && isIn(file, 'given') ? file.state.draft.people : []
    if (person) given.set(id, person)
    else if (hand) delete hand.hasGiven
  }
  return given
}

/** A person has confirmed their own details: they wait for the others, who learn only the first name. */
export async function giveDetails(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const whole = await parentOf(ctx, file)
  const { role: id } = file.parent ?? {}
  const hand = whole?.roadmap && id !== undefined ? assignmentOf(whole.roadmap, id) : undefined
  if (!isIn(file, 'profile') || !whole?.roadmap || !hand) return
  const { people } = file.state.draft
  const problems = profileProblems(file.state.draft, ctx.today).filter(({ field }) => field !== 'mobile')
  if (problems.length > 0) {
    ctx.due = { show: 'question', file, word: problemsView(ctx.t, problems, people).text }
    return
  }
  move(file, detailsGiven)
  ctx.work.remove(talks, file.s)
  hand.hasGiven = true
  const role = roleOf(whole.roadmap, id)
  if (role) role.name = firstName(people[0]?.name ?? '')
  await deleteTyped(ctx, file, 'typed-given')
  await notifyOwner(ctx, whole, { kind: 'details', role: hand.role, has: 'come' })
  leadTo(ctx, whole)
}

/** Notifies the owner of a roadmap about the details of another person. */
export async function notifyOwner(
  ctx: UpdateContext,
  whole: RecordFile,
  event: Extract<Parameters<typeof postEvent>[3], { kind: 'details' }>,
): Promise<void> {
  const owner = await ownerOf(ctx.work, whole)
  const member = (await membersHere(ctx, whole)).find(({ who }) => who === owner)
  if (member) postEvent(ctx.work, member, whole.s, event)
}

/** The registration is done or will never be: deletes the details given for it, and leads their people on. */
export async function endDetails(ctx: UpdateContext, whole: RecordFile): Promise<void> {
  for (const hand of whole.roadmap?.hands ?? []) {
    delete hand.hasGiven
    const typed = await dropDetails(ctx, whole, hand.role)
    if (typed && accountOf(hand.assignee) !== ctx.who)
      notifyHolder(ctx, whole, hand.assignee, { kind: 'registered', typed })
  }
}

/** Deletes the details of a role; returns the messages in which they were typed, in that person's chat. */
export async function dropDetails(ctx: UpdateContext, whole: RecordFile, role: number) {
  const file = await detailsFile(ctx, whole, role)
  if (!file || !isIn(file, 'profile', 'given')) return undefined
  const { typed = [], s } = file
  delete file.typed
  ctx.work.remove(talks, s)
  move(file, recordPutBack)
  return typed
}

/** Notifies the account that has accepted a role, in its own chat. */
export function notifyHolder(
  { work }: UpdateContext,
  { s }: RecordFile,
  assignee: RoleAssignment['assignee'],
  event: Parameters<typeof postEvent>[3],
): void {
  if (isAssignee(assignee, 'taken', 'over') && assignee.chatId !== undefined)
    postEvent(work, { who: assignee.who, chatId: assignee.chatId }, s, event)
}

/**
 * A roadmap ends before its registration, by an organizer's release or because its owner is forgotten:
 * deletes the details that others gave for it, and notifies them.
 */
export async function endUnregistered(ctx: UpdateContext, file: RecordFile, { isForgotten = false } = {}) {
  const { roadmap } = file
  if (!roadmap || hasProfile(file)) return
  const told = new Map<string | undefined, { assignee: RoleAssignment['assignee']; typed: number[] }>()
  for (const { role, assignee } of roadmap.hands) {
    const { typed = [] } = told.get(accountOf(assignee)) ?? {}
    typed.push(...((await dropDetails(ctx, file, role)) ?? []))
    told.set(accountOf(assignee), { assignee, typed })
  }
  // An account with several roles is notified once.
  for (const { assignee, typed } of told.values())
    notifyHolder(ctx, file, assignee, { kind: 'unhanded', typed, by: isForgotten ? undefined : 'organizer' })
}

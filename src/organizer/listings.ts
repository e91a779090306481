import { setImmediate } from 'node:timers/promises'
import { newShortId } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { askService } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { UUID as ANY_UUID } from '../domain/invitation.ts'
import { toAsciiDigits, toPersianLetters } from '../domain/persian/clean.ts'
import { isIn, isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { flaggedLists } from '../domain/record/standing.ts'
import { personOf } from '../domain/record/whose.ts'
import { invitationsOf } from '../jobs/invite.ts'
import { enrolments } from '../storage/documents/enrolments.ts'
import { groups } from '../storage/documents/groups.ts'
import { recordFiles, tokenIndex, tokenKey } from '../storage/documents/kinds.ts'
import type { ListedItem, Listing, OrganizerState, Tombstone } from '../storage/documents/organizer-state.ts'
import { readDocuments } from '../storage/documents.ts'
import { chunksOf } from '../views/view.ts'

export const UUID = new RegExp(`^${ANY_UUID}$`, 'i')
/** So many listings are kept, the oldest are dropped. */
const MOST_LISTINGS = 3
/** So many cards of what was forgotten keep the button that releases it. */
const MOST_TOMBSTONES = 20
/** With the ways on they are no more buttons than a phone shows at once. */
export const ITEMS_A_SCREEN = 8

/** What this organizer has open, also where no update is handled; it may be lost. */
export const readOrganizerState = async ({ deps, account }: UpdateContext): Promise<OrganizerState> =>
  (await deps.sessions.read(String(account.chatId))) ?? {}

/** Changes what an organizer has open. */
export async function changeOrganizerState(
  ctx: UpdateContext,
  change: (state: OrganizerState) => OrganizerState,
): Promise<void> {
  const { deps, account } = ctx
  await deps.sessions.write(String(account.chatId), change(await readOrganizerState(ctx)))
}

export const listingOf = async (ctx: UpdateContext, id: string): Promise<Listing | undefined> =>
  (await readOrganizerState(ctx)).listings?.find((each) => each.id === id)

export const sendGone = (ctx: UpdateContext): Promise<void> =>
  sendText(ctx, 'list-gone', { command: '/records, /roadmaps' })

/** Keeps a listing as the newest; the oldest leaves. */
export const keepListing = (ctx: UpdateContext, listing: Listing): Promise<void> =>
  changeOrganizerState(ctx, ({ listings = [], ...state }) => {
    const others = listings.filter(({ id }) => id !== listing.id)
    return { ...state, listings: [...others, listing].slice(-MOST_LISTINGS) }
  })

/** Keeps what a card has shown to be no more than a tombstone, so that the button below it releases it. */
export const keepTombstone = (ctx: UpdateContext, tombstone: Tombstone): Promise<void> =>
  changeOrganizerState(ctx, ({ tombstones = [], ...state }) => {
    const others = tombstones.filter(({ s }) => s !== tombstone.s)
    return { ...state, tombstones: [...others, tombstone].slice(-MOST_TOMBSTONES) }
  })

/** What was typed behind `/records` or `/roadmaps`: a text, `#` and an external id, or a UUID. */
export function newListing(kind: Listing['kind'], text: string): Listing {
  const digits = /^#\s*(-?\d{1,16})$/.exec(toAsciiDigits(text))?.[1]
  const externalId = digits === undefined ? Number.NaN : Number(digits)
  return {
    id: newShortId(),
    kind,
    text,
    ...(Number.isSafeInteger(externalId) && { externalId }),
    ...(UUID.test(text) && { profile: text.toLowerCase() }),
    kinds: [],
    version: 0,
    count: 0,
    at: 0,
    screen: 1,
    chunks: [],
  }
}

/** Whether one result is what was looked for, so that its card is shown at once. */
export const isExact = ({ externalId, profile }: Listing): boolean =>
  externalId !== undefined || profile !== undefined

type Wanted = { page: number; screen: number; chunk?: number; messageId?: number | undefined }

/** Asks the service for a page of a listing, which one of its screens needs; of a group for the next ones of it. */
export async function askForPage(ctx: UpdateContext, listing: Listing, { page, ...wanted }: Wanted) {
  const { id, version, kind: first } = listing
  const all = listing.group && (await tokensOf(ctx, listing))
  if (listing.group && !all) return sendText(ctx, 'group-gone')
  const before = listing.chunks.slice(0, wanted.chunk).flatMap(({ items }) => items)
  // Who has left the list since stays on the screens before; those behind have moved up by as many.
  const left = all ? before.filter(({ token }) => !all.includes(token)).length : 0
  const count = all && all.length + left
  const tokens = all?.slice((page - 1) * ITEMS_A_SCREEN - left, page * ITEMS_A_SCREEN - left)
  const call = tokens ? ({ kind: 'findSome', tokens, first } as const) : pageCall(listing, page)
  await askService(ctx, { act: 'page', listing: id, version, count, ...wanted }, call)
}

/** Whether so many have left a list since that others may stand between this page and what was looked at. */
export function hasGap(
  { count, chunks }: Listing,
  page: { count: number; results: readonly ({ token: string } | null)[] },
): boolean {
  const known = chunks.flatMap(({ items }) => items.map(({ token }) => token))
  return page.count < count && !page.results.some((item) => item && known.includes(item.token.toLowerCase()))
}

/** Asks for the page before, though it was looked at: what it brings stands behind what is known. */
export async function askForPageBefore(ctx: UpdateContext, listing: Listing, { page, ...wanted }: Wanted) {
  const { chunks } = listing
  const next = page - 1
  const back = { ...listing, chunks: chunks.map((each, at) => (chunks[at + 1] ? each : { ...each, next })) }
  await keepListing(ctx, back)
  await askForPage(ctx, back, { page: next, ...wanted })
}

/** The tokens of its group, as far as is known here those that are finished or not; `undefined` where the group is gone. */
async function tokensOf(ctx: UpdateContext, { group, finished }: Listing): Promise<string[] | undefined> {
  const members = group && (await membersOf(ctx, group.id))?.members
  const isWanted = (file: RecordFile | undefined) =>
    finished === undefined || finished === (file !== undefined && isIn(file, 'scored', 'done', 'elsewhere'))
  return members?.flatMap(({ token, file }) => (isWanted(file) ? [token] : []))
}

/** Asks the service for whatever has these words in records and roadmaps, and nothing else. */
export function askForBoth(ctx: UpdateContext, text: string): Promise<void> {
  const { records, roadmaps } = queriesOf(newListing('record', text), 1)
  return askService(ctx, { act: 'search', text }, { kind: 'search', records, roadmaps })
}

function pageCall(listing: Listing, page: number) {
  const { records, roadmaps } = queriesOf(listing, page)
  return listing.kind === 'record'
    ? ({ kind: 'listRecords', query: records } as const)
    : ({ kind: 'listRoadmaps', query: roadmaps } as const)
}

/** Every filter of both lists is the service's own. */
function queriesOf(listing: Listing, page: number) {
  const { text, externalId, profile, finished, male, kindId } = listing
  const common = {
    // As names are sent to the service.
    q: text !== '' && !isExact(listing) ? toPersianLetters(toAsciiDigits(text)) : undefined,
    page: page > 1 ? page : undefined,
    filter__is_finished: finished,
  }
  const records = {
    ...common,
    filter__test__id: kindId,
    filter__profile__is_male: male,
    filter__profile__token: profile,
    filter__profile__external_id: externalId,
  }
  const roadmaps = {
    ...common,
    filter__roadmap__id: kindId,
    filter__test_records__profile__is_male: male,
    filter__test_records__profile__token: profile,
    filter__test_records__profile__external_id: externalId,
  }
  return { records, roadmaps }
}

/** So many are read at once; between them others have their turn. */
const AT_ONCE = 100

type Deps = Pick<UpdateContext['deps'], 'store' | 'vault'>

export type Member = { token: string; file: RecordFile | undefined }

/** A group with what is kept of each who was invited; those first whose validity card needs a look. */
export async function membersOf({ deps, work }: UpdateContext, id: string) {
  const group = await work.get(groups, id)
  return group && { ...group, members: flaggedFirst(await filesOf(deps, group.tokens)) }
}

/** Who is behind a token: by name and case number, else by the organizer's own ids, else by the invitation. */
export async function whoIs({ work }: UpdateContext, { token, file }: Member): Promise<string> {
  // Of what is over only the first name is kept.
  const known = file && personOf(file)
  const number = known === file?.caseNumber ? undefined : file?.caseNumber
  const name = file?.shownAs ?? (known && number ? `${known} · ${number}` : known)
  if (name !== undefined) return name
  const [invitation] = await invitationsOf(work, token)
  const own = [file, ...(file?.roadmap?.roles ?? [])].flatMap((each) => each?.externalId ?? [])
  const ids = own.length > 0 ? own : [invitation].flatMap((each) => each?.externalId ?? [])
  return ids.map((id) => `#${id}`).join('، ') || (invitation?.code ?? token.slice(0, 8))
}

/** Those first whose validity card needs a look, else in their order. */
export const flaggedFirst = <T extends Member>(all: readonly T[]): T[] => [
  ...all.filter(({ file }) => file?.isFlagged),
  ...all.filter(({ file }) => !file?.isFlagged),
]

const isWhole = ({ text, kindId, male, finished }: Listing): boolean =>
  text === '' && kindId === undefined && male === undefined && finished !== false

/** What stands in a list of the board, each with what is kept of it. */
export async function enrolled(deps: Deps, pieces: readonly { id: string }[]) {
  const ids = pieces.map(({ id }) => id)
  const entries = await readDocuments(deps, enrolments, ids)
  const own = entries.map((entry) => entry?.s ?? '')
  const files = await readDocuments(deps, recordFiles, own)
  return entries.map((entry, index) => ({ entry, file: files[index] }))
}

/** Of a whole list those whose validity card needs a look, the newest ones: the service's own order knows nothing of that. */
export async function flaggedIn({ deps, now }: UpdateContext, listing: Listing): Promise<ListedItem[]> {
  if (!isWhole(listing)) return []
  const { store } = deps
  const lists = flaggedLists(now)
  const counts = await store.counts(lists)
  const found: RecordFile[] = []
  for (const [index, { list, from }] of lists.entries()) {
    const skip = Math.max(0, (counts[index] ?? 0) - ITEMS_A_SCREEN)
    const kept = await enrolled(deps, await store.listed(list, { from, skip, most: ITEMS_A_SCREEN }))
    found.push(...kept.flatMap(({ file }) => file ?? []).reverse())
  }
  const ours = found.filter((file) => file.isFlagged && isRoadmap(file) === (listing.kind === 'roadmap'))
  const state = { status: null, isFinished: true, needsProfile: false }
  return ours.map(({ token, test: { title } }) => ({ token, title, ...state }))
}

/** What is kept of each token, in their order. */
export async function filesOf(deps: Deps, tokens: readonly string[]): Promise<Member[]> {
  const all: Member[] = []
  for (const some of chunksOf(tokens, AT_ONCE)) {
    const keys = some.map((token) => tokenKey(deps.vault, token))
    const ids = (await readDocuments(deps, tokenIndex, keys)).map((each) => each?.s ?? '')
    const files = await readDocuments(deps, recordFiles, ids)
    all.push(...some.map((token, index) => ({ token, file: files[index] })))
    await setImmediate()
  }
  return all
}

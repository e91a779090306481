import { setImmediate } from 'node:timers/promises'
import { newShortId } from '../dialog/files.ts'
import { askService } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { UUID as ANY_UUID } from '../domain/invitation.ts'
import { toAsciiDigits, toPersianLetters } from '../domain/persian/clean.ts'
import { personOf } from '../domain/record/names.ts'
import { isIn, isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { flaggedLists } from '../domain/record/standing.ts'
import { invitationsOf } from '../jobs/invite.ts'
import { enrolments } from '../storage/documents/enrolments.ts'
import { groups } from '../storage/documents/groups.ts'
import { recordFiles, tokenIndex, tokenKey } from '../storage/documents/kinds.ts'
import type { ListedItem, Listing, OrganizerState, Tombstone } from '../storage/documents/organizer-state.ts'
import { readDocuments } from '../storage/documents.ts'
import { chunksOf } from '../views/view.ts'

export const UUID = new RegExp(`^${ANY_UUID}$`, 'i')
/** This many listings are kept. The oldest ones are dropped. */
const MOST_LISTINGS = 3
/** This many cards of forgotten records keep the button that releases them. */
const MOST_TOMBSTONES = 20
/** With the other buttons, this is no more than a phone shows at once. */
export const ITEMS_A_SCREEN = 8

/** The organizer's state. It can be read where no update is handled, and it may be lost. */
export const readOrganizerState = async ({ deps, account }: UpdateContext): Promise<OrganizerState> =>
  (await deps.sessions.read(String(account.chatId))) ?? {}

/** Changes the organizer's state. */
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

/** Keeps a listing as the newest, and drops the oldest one. */
export const keepListing = (ctx: UpdateContext, listing: Listing): Promise<void> =>
  changeOrganizerState(ctx, ({ listings = [], ...state }) => {
    const others = listings.filter(({ id }) => id !== listing.id)
    return { ...state, listings: [...others, listing].slice(-MOST_LISTINGS) }
  })

/** Keeps a tombstone that a card has shown, so that the button below the card releases it. */
export const keepTombstone = (ctx: UpdateContext, tombstone: Tombstone): Promise<void> =>
  changeOrganizerState(ctx, ({ tombstones = [], ...state }) => {
    const others = tombstones.filter(({ s }) => s !== tombstone.s)
    return { ...state, tombstones: [...others, tombstone].slice(-MOST_TOMBSTONES) }
  })

/** The listing for a text behind `/records` or `/roadmaps`: words, `#` and an external id, or a UUID. */
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

type Wanted = { page: number; screen: number; messageId?: number | undefined }

/** Asks the service for the page that a screen needs; in a group, for the next members. */
export async function askForPage(ctx: UpdateContext, listing: Listing, { page, ...wanted }: Wanted) {
  const { id, version, kind: first } = listing
  const all = listing.group && (await tokensOf(ctx, listing))
  if (listing.group && !all) return sendText(ctx, 'group-gone')
  const tokens = all?.slice((page - 1) * ITEMS_A_SCREEN, page * ITEMS_A_SCREEN)
  const call = tokens ? ({ kind: 'findSome', tokens, first } as const) : pageCall(listing, page)
  await askService(ctx, { act: 'page', listing: id, version, count: all?.length, ...wanted }, call)
}

/** The group's tokens, finished or unfinished as far as known here; `undefined` if the group is gone. */
async function tokensOf(ctx: UpdateContext, { group, finished }: Listing): Promise<string[] | undefined> {
  const members = group && (await membersOf(ctx, group.id))?.members
  const isWanted = (file: RecordFile | undefined) =>
    finished === undefined || finished === (file !== undefined && isIn(file, 'scored', 'done', 'elsewhere'))
  return members?.flatMap(({ token, file }) => (isWanted(file) ? [token] : []))
}

/** Asks the service for all records and roadmaps that match these words. */
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
  const isExact = externalId !== undefined || profile !== undefined
  const common = {
    // Spelt as names are sent to the service.
    q: text !== '' && !isExact ? toPersianLetters(toAsciiDigits(text)) : undefined,
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

/** This many are read at once. In between other work has its turn. */
const AT_ONCE = 100

type Deps = Pick<UpdateContext['deps'], 'store' | 'vault'>

export type Member = { token: string; file: RecordFile | undefined }

/** A group with the file of each member, those first whose validity card needs attention. */
export async function membersOf({ deps, work }: UpdateContext, id: string) {
  const group = await work.get(groups, id)
  return group && { ...group, members: flaggedFirst(await filesOf(deps, group.tokens)) }
}

/** The person behind a token: name and case number, else the organizer's own ids, else the invitation. */
export async function whoIs({ work }: UpdateContext, { token, file }: Member): Promise<string> {
  // Of a finished record only the first name is stored.
  const known = file && personOf(file)
  const number = known === file?.caseNumber ? undefined : file?.caseNumber
  const name = file?.shownAs ?? (known && number ? `${known} · ${number}` : known)
  if (name !== undefined) return name
  const [invitation] = await invitationsOf(work, token)
  const own = [file, ...(file?.roadmap?.roles ?? [])].flatMap((each) => each?.externalId ?? [])
  const ids = own.length > 0 ? own : [invitation].flatMap((each) => each?.externalId ?? [])
  return ids.map((id) => `#${id}`).join('، ') || (invitation?.code ?? token.slice(0, 8))
}

/** Puts those first whose validity card needs attention. The order stays otherwise. */
export const flaggedFirst = <T extends Member>(all: readonly T[]): T[] => [
  ...all.filter(({ file }) => file?.isFlagged),
  ...all.filter(({ file }) => !file?.isFlagged),
]

const isWhole = ({ text, kindId, male, finished }: Listing): boolean =>
  text === '' && kindId === undefined && male === undefined && finished !== false

/** The entries of a list of the board, each with its file. */
export async function enrolled(deps: Deps, pieces: readonly { id: string }[]) {
  const ids = pieces.map(({ id }) => id)
  const entries = await readDocuments(deps, enrolments, ids)
  const own = entries.map((entry) => entry?.s ?? '')
  const files = await readDocuments(deps, recordFiles, own)
  return entries.map((entry, index) => ({ entry, file: files[index] }))
}

/** The newest of a whole list whose validity card needs attention: the service's order ignores it. */
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

/** The file of each token, in the order of the tokens. */
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

import { z } from 'zod'
import { sentDetails } from '../domain/profile.ts'
import { inOrder, type Questionnaire, shownWith } from '../domain/questionnaire.ts'
import { actorKind } from '../queue/actors.ts'
import { postToChat } from '../queue/chat-message.ts'
import { guardCurrent, type Handler, handler, isCurrent, job } from '../queue/job.ts'
import { notShown, ServiceError, UnwantedCall } from '../service/errors.ts'
import { accounts, onBehalf, pictures, recordFiles } from '../storage/documents/kinds.ts'
import { documentKey, putDocument, readDocument } from '../storage/documents.ts'
import { callSchema, isUnrepeatable, laneOf } from './call-table.ts'
import type { JobDeps, With } from './deps.ts'
import { makeCall } from './make-call.ts'
import { placeInLine } from './place-in-line.ts'

/** So long after this process gave up its place in line the next one takes it. */
const HAND_OVER_MS = 1_000

const callBody = z.object({
  s: z.string(),
  id: z.string(),
  call: callSchema,
  onBehalf,
  /** An earlier process died while it made the call, which may have happened. */
  wasInterrupted: z.literal(true).optional(),
  looksFirst: z.literal(true).optional(),
  earlier: sentDetails.optional(),
  /** The message in which an earlier process has told the place in line. */
  told: z.number().optional(),
})
type CallBody = z.infer<typeof callBody>

/** A call that a chat waits for. By the record id and the account. */
export const callJob = job('call', callBody)
/** The same about what nobody has claimed yet: anybody can make up links, so a crowd of these stops nobody. */
export const visitJob = job('visit', callBody)

/** Makes one call that somebody waits for and posts its outcome to the chat, which stays free meanwhile. */
export function createCallHandler(
  deps: Pick<JobDeps, 'service' | 'store' | 'vault' | 'sender' | 'texts' | 'now' | 'fetchPicture'> &
    With<'retentionDays'>,
): Handler {
  const { service, now } = deps

  /**
   * Whether its chat still waits for it: a release, details that are taken back, or the end of their term end that, and
   * whoever comes next is not to find a profile.
   */
  async function isAwaited({ s, id, call, onBehalf }: CallBody): Promise<boolean> {
    const account = await readDocument(deps, accounts, onBehalf.who)
    if (account?.pending[s]?.id !== id) return false
    if (isUnrepeatable(call.kind) && !(await deps.store.read([documentKey(recordFiles, s)]))[0]) return false
    return isCurrent(deps, onBehalf)
  }

  return handler(callJob, async ({ actor, body, work, begun, begin, signal, trace }) => {
    const { s, id, call, looksFirst, earlier, onBehalf } = body
    if (!(await guardCurrent(work, onBehalf))) return undefined
    const mayHaveHappened = begun || body.wasInterrupted === true
    const place = placeInLine(deps, onBehalf, {
      who: laneOf(call) === 'participant' ? 'participant' : 'organizer',
      told: body.told,
      isAwaited: () => isAwaited(body),
    })
    const unwanted = watchWanted(() => isAwaited(body))
    try {
      const isWanted = async () => {
        unwanted.end()
        const isStillAwaited = await isAwaited(body)
        if (isStillAwaited) place.reached()
        return isStillAwaited
      }
      const rank = actorKind(actor) === 'visit' ? 'unclaimed' : 'underWay'
      const inLine = { lane: laneOf(call), account: onBehalf.who, rank, onQueued: place.onQueued } as const
      const keep = (read: Questionnaire) => keepPictures(deps, read)
      const waits = { signal: AbortSignal.any([signal, unwanted.signal]), isWanted }
      const how = { ...inLine, ...waits, isAwaited: true as const, trace, begin, keep, looksFirst, earlier }
      const outcome = await makeCall({ service, now }, call, mayHaveHappened, how)
      const { who, chatId } = onBehalf
      postToChat(work, who, { type: 'outcome', chatId, s, id, kind: call.kind, outcome })
      return undefined
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'no_slot') throw error
      // This process gives up its place in line: the next one makes the call, with what is known of it.
      const told = await place.end()
      const isUnclear = mayHaveHappened || error.reached === 'unclear'
      const retryBody = { ...body, told, ...(isUnclear && { wasInterrupted: true as const }) }
      return { retryAt: now() + HAND_OVER_MS, retryBody }
    } finally {
      unwanted.end()
      await place.end()
    }
  })
}

/** So long details may go on waiting in line that nobody waits for any more. */
const WANTED_LOOK_MS = 15_000

/** Ends the waiting in line as soon as it is seen to be in vain: what waits is kept no longer, and holds up no other. */
function watchWanted(isAwaited: () => Promise<boolean>) {
  const unwanted = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  function look(): void {
    if (!isOver) timer = setTimeout(() => void check().catch(look), WANTED_LOOK_MS).unref()
  }
  async function check(): Promise<void> {
    if (await isAwaited()) look()
    else if (!isOver) unwanted.abort(new UnwantedCall('nobody waits for it any more'))
  }
  look()
  return {
    signal: unwanted.signal,
    end(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** More than these nobody looks at in a chat, and nobody wants to keep. */
const MOST = { pictures: 200, bytes: 20 * 1024 * 1024 }

type Keeping = Pick<JobDeps, 'store' | 'vault' | 'fetchPicture' | 'now'> & With<'retentionDays'>

/**
 * Fetches and keeps the pictures of a questionnaire, each once by its content, which names it from there on, and each by
 * itself: all of them at once would be too much for a process. Throws `questions_unreadable` for one that cannot be had, as
 * its question could not be shown as it is meant, and where they are too large together.
 */
export async function keepPictures(
  { store, vault, config, fetchPicture, now }: Keeping,
  questionnaire: Questionnaire,
): Promise<Questionnaire> {
  /** Each address, and the first question that shows it. */
  const wanted = new Map<string, number>()
  for (const [index, placed] of inOrder(questionnaire).entries())
    for (const address of shownWith(placed)) wanted.set(address, wanted.get(address) ?? index + 1)
  if (wanted.size === 0) return questionnaire
  if (wanted.size > MOST.pictures) throw notShown('too-large')
  const names = new Map<string, string>()
  let size = 0
  for (const [address, question] of wanted) {
    const bytes = await fetchPicture(address)
    if (!bytes) throw notShown('picture', question)
    size += bytes.length
    if (size > MOST.bytes) throw notShown('too-large')
    const name = vault.digest('picture', bytes).toString('hex')
    const term = { now: now(), retentionDays: config.retentionDays }
    await putDocument({ store, vault, term }, pictures, name, { base64: bytes.toString('base64') })
    names.set(address, name)
  }
  const named = (address: string): string => names.get(address) ?? ''
  const all = (addresses: string[] | undefined) => addresses && { pictures: addresses.map(named) }
  return {
    ...questionnaire,
    sections: questionnaire.sections.map((section) => ({
      ...section,
      ...all(section.pictures),
      questions: section.questions.map((question) => ({
        ...question,
        ...all(question.pictures),
        options: question.options.map((option) =>
          option.picture === undefined ? option : { ...option, picture: named(option.picture) },
        ),
      })),
    })),
  }
}

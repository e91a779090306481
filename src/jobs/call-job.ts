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

/** Delay before another process takes over a call that this process gave up. */
const HAND_OVER_MS = 1_000

const callBody = z.object({
  s: z.string(),
  id: z.string(),
  call: callSchema,
  onBehalf,
  /** An earlier process stopped during the call, which may have happened. */
  wasInterrupted: z.literal(true).optional(),
  looksFirst: z.literal(true).optional(),
  earlier: sentDetails.optional(),
  /** The message in which an earlier process showed the place in line. */
  told: z.number().optional(),
})
type CallBody = z.infer<typeof callBody>

/** A call that a chat waits for. Keyed by record id and account. */
export const callJob = job('call', callBody)
/** The same for a record that no account has claimed: a flood of made-up links must delay no participant. */
export const visitJob = job('visit', callBody)

/** Makes a call for a chat and posts its outcome there; the chat handles other messages meanwhile. */
export function createCallHandler(
  deps: Pick<JobDeps, 'service' | 'store' | 'vault' | 'sender' | 'texts' | 'now' | 'fetchPicture'> &
    With<'retentionDays'>,
): Handler {
  const { service, now } = deps

  /**
   * Whether the chat still waits for the call. A release, withdrawn details or the end of their term end the
   * waiting, and the next account must not find a profile.
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
      // This process gives up its place in line; the next one makes the call, with what is known so far.
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

/** How often a waiting call checks whether its chat still waits for it. */
const WANTED_CHECK_MS = 15_000

/** Takes an unwanted call out of the line: its details are not kept longer, and it delays no other call. */
function watchWanted(isAwaited: () => Promise<boolean>) {
  const unwanted = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  function checkLater(): void {
    if (!isOver) timer = setTimeout(() => void check().catch(checkLater), WANTED_CHECK_MS).unref()
  }
  async function check(): Promise<void> {
    if (await isAwaited()) checkLater()
    else if (!isOver) unwanted.abort(new UnwantedCall('nobody waits for it any more'))
  }
  checkLater()
  return {
    signal: unwanted.signal,
    end(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** Upper limits for the pictures of one questionnaire. */
const MOST = { pictures: 200, bytes: 20 * 1024 * 1024 }

type Keeping = Pick<JobDeps, 'store' | 'vault' | 'fetchPicture' | 'now'> & With<'retentionDays'>

/**
 * Fetches the pictures of a questionnaire and keeps each once, named by its content. It fetches them one at a
 * time, as all at once would be too much for a process. Throws `questions_unreadable` for a picture that
 * cannot be fetched, as its question would be incomplete, and if the pictures are too large together.
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

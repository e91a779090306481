import type { ResultTo } from '../../src/domain/invitation.ts'
import { type Heard, isSurelyKept } from './history.ts'
import { UNDER_WAY_MS } from './holders.ts'
import type { ModelDeps } from './promises.ts'
import type { Host } from './time.ts'

const isOffice = (chat: string): boolean => chat.length < 6

/** The model of a result's receivers: each part goes to the current assignee, and to organizers who may have it. */
export function createOwedModel({
  elapsed,
  resultTo,
  hasForgotten,
  report,
}: ModelDeps & {
  resultTo: ResultTo
}) {
  /** Organizers who have asked for a result. */
  const asking = new Set<string>()
  /** Invitations for which an organizer has chosen the receiver of the result, and those that opened each title. */
  const chosen = new Set<string>()
  const opened = new Map<string, Set<string>>()
  /** Parts that have arrived in organizers' chats. */
  const arrived = new Set<string>()
  /** The titles that a chat has lost (empty: all of them), and when it was notified. */
  const gone = new Map<string, (Heard & { title: string })[]>()

  /** How many people have a test of this title. */
  const titles = new Map<string, number>()
  const isChosen = (part: string): boolean =>
    [...opened].some(([title, by]) => part.includes(title) && [...by].some((payload) => chosen.has(payload)))

  return {
    knows(title: string): void {
      titles.set(title, (titles.get(title) ?? 0) + 1)
    },
    /** Whether an organizer gets parts that look the same from several people. */
    isOfSeveral: (part: string): boolean =>
      isOffice(part.split(' ')[1] ?? '') &&
      [...titles].some(([title, count]) => count > 1 && part.includes(title)),
    taps(chat: number, data: string): void {
      if (data.startsWith('send:')) asking.add(String(chat))
      if (data.startsWith('to:')) chosen.add(`i_${data.split(':')[1]}`)
    },
    /** A person opens a link to a test of this title. */
    opens(title: string, payload: string): void {
      opened.set(title, (opened.get(title) ?? new Set()).add(payload))
    },
    /** A chat was notified that it has lost a test. */
    loses: (chat: string, title: string, heard: Heard): void =>
      void gone.set(chat, [...(gone.get(chat) ?? []), { ...heard, title }]),
    /** A part of a result is sent to a chat, by a host that has held the delivery since that time. */
    sends(chat: string, part: string, { host, since }: { host: Host; since: number }): void {
      const isFor = isOffice(chat) ? resultTo !== 'participant' || asking.has(chat) : resultTo !== 'organizer'
      if (!isFor && !isChosen(part)) report('strayed', `a part of a result went to ${chat} by mistake`)
      // A replica that was frozen does not know yet.
      const isLate = (heard: Heard) =>
        (since > heard.at || elapsed() - Math.max(heard.at, host.frozenUntil) > UNDER_WAY_MS) &&
        isSurelyKept(heard, hasForgotten)
      if (gone.get(chat)?.some((lost) => isLate(lost) && part.includes(lost.title)))
        report('strayed', `a part of a result went to ${chat}, which has lost the test`)
    },
    /** A part of a result has arrived. */
    brings: (chat: string, part: string): void => void (isOffice(chat) && arrived.add(`${chat} ${part}`)),
    /** At the end: checks that organizers who receive results have all reports that are due. */
    judge(organizers: readonly number[], titles: readonly string[]): void {
      if (resultTo === 'participant') return
      for (const id of organizers)
        for (const title of titles.filter((each) => !isChosen(each))) {
          const has = [...arrived].some(
            (each) => each.startsWith(`${id} sendDocument`) && each.includes(title),
          )
          if (!has) report('lost', `organizer ${id} has no report of ${title}`)
        }
    },
  }
}

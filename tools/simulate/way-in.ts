import { word } from '../../test/words.ts'
import type { WireMessage } from '../emulator/emulator.ts'
import type { Desk, Wish } from './desk.ts'
import { linkOf, type Task } from './tasks.ts'

/** As much of a text as says nothing of anybody. */
const beginning = (text: string) => text.slice(0, 30)

/** What is said after the title of what was released, and what follows /forget. */
export const RELEASED = word('released-told', { title: '' }).split(/»|\./)[1] ?? ''
export const FORGOTTEN = word('forgotten').split('.')[0] ?? ''
/** What is said where a message was set aside, whoever has written it. */
export const TROUBLE = word('trouble').slice(0, 20)
/** What is said where something that was released goes on. */
export const TAKEN_OVER = beginning(word('takeover-done'))
/** What asks for the mobile in the profile. */
export const ASKS_MOBILE = [
  word('takeover-ask', { tries: 3 }),
  word('takeover-wrong', { tries: 2 }),
  word('takeover-later'),
].map(beginning)
const CLOSED = [word('invitation-unknown'), word('invitation-revoked'), word('invitation-expired')].map(
  beginning,
)
const TAKEN = [word('invitation-used'), word('takeover-over'), word('takeover-unknown')].map(beginning)

/** After so many tries with an account that may not have it again people take another one. */
const IN_VAIN = 8

const hasOneOf = (texts: readonly string[], text: string) => texts.some((each) => text.includes(each))

type WayInDeps = {
  desk: Desk | undefined
  tasks: readonly Task[]
  /** Types the mobile that the profile has. */
  saysMobile: () => void
  /** Takes up a phone that the bot does not know yet. */
  takesOtherPhone: () => void
}

/** What somebody does about an invitation that opens nothing, and about a test that another phone of theirs began. */
export function createWayIn({ desk, tasks, saysMobile, takesOtherPhone }: WayInDeps) {
  // What somebody else began is invited to by them, and only released here.
  const own = tasks.find(({ family }) => !family) ?? tasks.find(({ role }) => role !== undefined)
  let isPhoneGone = false
  /** What an organizer sends after a release: from then on the bare link opens nothing. */
  const passed: { payload: string | undefined } = { payload: undefined }

  function asks(kind: 'invite' | 'release', at?: Wish['at']): void {
    if (!own || (own.family && kind === 'invite')) return
    const { token, title, family, role: id } = own
    const sent = kind === 'release' && !family ? passed : (own.sent ?? passed)
    const role = family?.invited.find((each) => each.id === id)?.title
    desk?.ask({ kind, token, title, role, sent, at })
  }

  return {
    /** What opens a task now. */
    linkOf: (task: Task): string | undefined =>
      isPhoneGone && !task.family ? (passed.payload ?? `${task.kind}_${task.token}`) : linkOf(task),
    /** The phone is gone, with the account. */
    losePhone(): void {
      isPhoneGone = true
      takesOtherPhone()
      asks('release')
    },
    /** An organizer releases it although this phone is at work. */
    isReleasedAnyway: (at?: Wish['at']) => asks('release', at),
    /** Whoever has not been sent anything asks for it. */
    asksToBeInvited: () => asks('invite'),
    /** Does what the newest message of a chat wants; `false` where it wants nothing of the kind. */
    meets({ text = '' }: WireMessage, chat: readonly WireMessage[]): boolean {
      if (chat.some((each) => each.text?.includes(RELEASED))) {
        // Not again on this account, whoever had it released.
        isPhoneGone = true
        takesOtherPhone()
      } else if (isPhoneGone && chat.filter((each) => hasOneOf(TAKEN, each.text ?? '')).length > IN_VAIN) {
        // Released when nothing was kept any more, so that nobody was there to be told.
        takesOtherPhone()
      } else if (hasOneOf(ASKS_MOBILE, text)) saysMobile()
      else if (isPhoneGone && hasOneOf([...TAKEN, ...CLOSED], text)) asks('release')
      else if (own?.sent && !own.family && hasOneOf(CLOSED, text)) {
        own.sent.payload = undefined
        asks('invite')
      } else return false
      return true
    },
  }
}

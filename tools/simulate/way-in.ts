import { word } from '../../test/words.ts'
import type { WireMessage } from '../emulator/emulator.ts'
import type { Desk, Wish } from './desk.ts'
import { linkOf, type Task } from './tasks.ts'

/** The beginning of a text, which has no personal data. */
const beginning = (text: string) => text.slice(0, 30)

/** The text after the title of a released test, and the text after /forget. */
export const RELEASED = word('released-told', { title: '' }).split(/»|\./)[1] ?? ''
export const FORGOTTEN = word('forgotten').split('.')[0] ?? ''
/** The text after a message was set aside. */
export const TROUBLE = word('trouble').slice(0, 20)
/** The text after a take-over of a released test. */
export const TAKEN_OVER = beginning(word('takeover-done'))
/** Texts that ask for the mobile of the profile. */
export const ASKS_MOBILE = [
  word('takeover-ask', { tries: 3 }),
  word('takeover-wrong', { tries: 2 }),
  word('takeover-later'),
].map(beginning)
const CLOSED = [word('invitation-unknown'), word('invitation-revoked'), word('invitation-expired')].map(
  beginning,
)
const TAKEN = [word('invitation-used'), word('takeover-over'), word('takeover-unknown')].map(beginning)

/** After this many failed tries with one account people switch to another one. */
const IN_VAIN = 8

const hasOneOf = (texts: readonly string[], text: string) => texts.some((each) => text.includes(each))

type WayInDeps = {
  desk: Desk | undefined
  tasks: readonly Task[]
  /** Types the mobile of the profile. */
  saysMobile: () => void
  /** Switches to a phone that the bot does not know yet. */
  takesOtherPhone: () => void
}

/** How a person deals with an invitation that opens nothing, and with a test that was begun on their lost phone. */
export function createWayIn({ desk, tasks, saysMobile, takesOtherPhone }: WayInDeps) {
  // For a role of a shared roadmap the owner sends the invitation; organizers only release it.
  const own = tasks.find(({ family }) => !family) ?? tasks.find(({ role }) => role !== undefined)
  let isPhoneGone = false
  /** The invitation after a release: from then on the plain link opens nothing. */
  const passed: { payload: string | undefined } = { payload: undefined }

  function asks(kind: 'invite' | 'release', at?: Wish['at']): void {
    if (!own || (own.family && kind === 'invite')) return
    const { token, title, family, role: id } = own
    const sent = kind === 'release' && !family ? passed : (own.sent ?? passed)
    const role = family?.invited.find((each) => each.id === id)?.title
    desk?.ask({ kind, token, title, role, sent, at })
  }

  return {
    /** The link that opens a task now. */
    linkOf: (task: Task): string | undefined =>
      isPhoneGone && !task.family ? (passed.payload ?? `${task.kind}_${task.token}`) : linkOf(task),
    /** The phone is lost, with its account. */
    losePhone(): void {
      isPhoneGone = true
      takesOtherPhone()
      asks('release')
    },
    /** Asks an organizer to release the test although this phone is still in use. */
    isReleasedAnyway: (at?: Wish['at']) => asks('release', at),
    /** A person without a link asks for an invitation. */
    asksToBeInvited: () => asks('invite'),
    /** Reacts to the newest message of a chat; `false` if it is not about invitations or releases. */
    meets({ text = '' }: WireMessage, chat: readonly WireMessage[]): boolean {
      if (chat.some((each) => each.text?.includes(RELEASED))) {
        // This account cannot have the test again.
        isPhoneGone = true
        takesOtherPhone()
      } else if (isPhoneGone && chat.filter((each) => hasOneOf(TAKEN, each.text ?? '')).length > IN_VAIN) {
        // The test was released after its record had expired, so no chat was notified.
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

import type { Moment } from './moments.ts'

/** What somebody asks the organizers for: an invitation, or to have what they began with a phone that is gone released. */
export type Wish = {
  kind: 'invite' | 'release'
  token: string
  /** By which the invitation to it is known among those that come late. */
  title: string
  /** Of a roadmap: the role that was begun with the phone that is gone. */
  role?: string | undefined
  /** Where whoever asks finds what opens it. */
  sent: { payload: string | undefined }
  /** The release is pressed when the bot is in the middle of this, about that token or chat. */
  at?: { moment: Moment; about: string } | undefined
  /** The release was pressed: the invitation that leads on is about to come. */
  isPressed?: boolean
  isAwaited?: boolean
  /** How often somebody has tried to see to it. */
  tries?: number
}

export type Desk = ReturnType<typeof createDesk>

/** Where people leave what they ask for, and organizers take it up. */
export function createDesk() {
  const waiting: Wish[] = []
  const open: Wish[] = []
  const isSame = (one: Wish) => (other: Wish) =>
    one.kind === other.kind && one.token === other.token && one.role === other.role

  return {
    /** Asked for once, until somebody has seen to it. */
    ask(wish: Wish): void {
      if (open.some(isSame(wish))) return
      open.push(wish)
      waiting.push(wish)
    },
    take: (): Wish | undefined => waiting.shift(),
    /** Several invitations at once, where so many are wished for. */
    takeInvites(): Wish[] {
      const all = waiting.filter(({ kind }) => kind === 'invite')
      if (all.length < 2) return []
      for (const wish of all) waiting.splice(waiting.indexOf(wish), 1)
      return all
    },
    /** It was seen to, or it could not be done: whoever still needs it asks again. */
    closes: (wish: Wish) => void open.splice(open.indexOf(wish), 1),
  }
}

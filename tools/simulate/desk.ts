import type { Moment } from './moments.ts'

/** A request to the organizers: for an invitation, or to release a test that was begun on a lost phone. */
export type Wish = {
  kind: 'invite' | 'release'
  token: string
  /** Tells the invitation to it apart from others that arrive late. */
  title: string
  /** In a roadmap: the role that was begun on the lost phone. */
  role?: string | undefined
  /** Where the person finds the link that opens it. */
  sent: { payload: string | undefined }
  /** The organizer presses release at this moment of the bot, about that token or chat. */
  at?: { moment: Moment; about: string } | undefined
  /** The release was pressed; the invitation to continue is about to come. */
  isPressed?: boolean
  isAwaited?: boolean
  /** How often an organizer has tried to handle it. */
  tries?: number
}

export type Desk = ReturnType<typeof createDesk>

/** The list of requests: people add to it, organizers take from it. */
export function createDesk() {
  const waiting: Wish[] = []
  const open: Wish[] = []
  const isSame = (one: Wish) => (other: Wish) =>
    one.kind === other.kind && one.token === other.token && one.role === other.role

  return {
    /** Adds a request, unless the same one is open. */
    ask(wish: Wish): void {
      if (open.some(isSame(wish))) return
      open.push(wish)
      waiting.push(wish)
    },
    take: (): Wish | undefined => waiting.shift(),
    /** Takes all requests for invitations, if there are at least two. */
    takeInvites(): Wish[] {
      const all = waiting.filter(({ kind }) => kind === 'invite')
      if (all.length < 2) return []
      for (const wish of all) waiting.splice(waiting.indexOf(wish), 1)
      return all
    },
    /** The request was handled or could not be; a person who still needs it asks again. */
    closes: (wish: Wish) => void open.splice(open.indexOf(wish), 1),
  }
}

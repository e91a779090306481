import { dataOf } from '../../test/places.ts'
import { word } from '../../test/words.ts'
import type { WireMessage } from '../emulator/emulator.ts'
import type { Desk, Wish } from './desk.ts'
import type { Moments } from './moments.ts'
import type { ParticipantDeps } from './person.ts'
import type { Broken } from './promises.ts'

export type Organizer = ReturnType<typeof createOrganizer>

type OrganizerDeps = Pick<ParticipantDeps, 'time' | 'chance' | 'trace' | 'emulator'> & {
  id: number
  desk: Desk
  moments: Pick<Moments, 'awaits'>
  /** Names and tokens to search for. */
  words: readonly string[]
  /** Whether all participants are done. */
  isEverybodyDone: () => boolean
  /** The organizer asks for a result, which may come here again. */
  onResultAsked: (chat: number) => void
  onTap: (chat: number, data: string) => void
}

const LOOK_MS = [400, 3_000] as const
const PATIENCE_MS = 20_000
/** A list waits behind the calls of all participants; asking again would only make the queue longer. */
const LIST_PATIENCE_MS = 120_000
/** How long an organizer waits for the moment to press. */
const AWAITS_MS = 40_000
/** Buttons that an organizer presses out of curiosity; those that would end a test are left out. */
const CURIOUS = /^(list|filter|card|expire|to:\w+:(participant|both)|notice|drop|export|audit|send)\b/
const COMMANDS = ['/records', '/roadmaps', '/status', '/notices', '/invite', '/start', '/tests']
const MOST_ACTS = 12
const MOST_TRIES = 8
const CODE = /i_[a-z2-7]{12}/
const OPEN_CODE = new RegExp(`([a-z2-7]{12})[^a-z]*\\(${word('invitation-state-open')}`)

/** An organizer, who invites, handles requests, and looks around. */
export function createOrganizer(deps: OrganizerDeps) {
  const { time, chance, trace, emulator, id, desk, words, isEverybodyDone, onResultAsked, onTap } = deps
  const person = emulator.person({ id, firstName: 'مدیر' })
  // Sends /start at once, because the bot cannot write to the organizer before.
  let seen: string | undefined
  let since = 0
  let askedAt = 0
  let acts = 0
  /** The requests that are handled now, and the message after which they began. */
  let wishes: Wish[] = []
  let from = 0
  /** The last command, which has to be answered. */
  let last: number | undefined
  let isDone = false
  let hasRevoked = false

  function says(text: string): void {
    trace.note(`o${id}`, `says ${text.split('\n')[0]}`)
    askedAt = time.elapsed()
    person.say(text)
  }
  function taps(message: WireMessage, data: string): void {
    trace.note(`o${id}`, `taps ${data}`)
    if (/^(send|to):/.test(data)) onResultAsked(id)
    onTap(id, data)
    person.rawTap(message, data)
  }

  const newer = () => person.messages.filter((each) => each.from.is_bot && each.message_id > from)

  function close(wish: Wish, payload?: string): void {
    if (payload) wish.sent.payload = payload
    desk.closes(wish)
    wishes = wishes.filter((each) => each !== wish)
  }

  /** Takes up the next request. */
  function takeUp(): boolean {
    const several = chance.is(0.5) ? desk.takeInvites() : []
    const one = several.length > 0 ? undefined : desk.take()
    wishes = one ? [one] : several
    if (wishes.length === 0) return false
    from = person.messages.at(-1)?.message_id ?? 0
    if (one) says(`/${one.role ? 'roadmaps' : 'records'} ${one.token}`)
    else says(`/invite ${wishes.map(({ token }) => token).join('\n')}`)
    return true
  }

  /** Hands out the codes from a file of invitations. */
  function readFile(): boolean {
    const message = newer().findLast(({ document }) => document?.file_name?.endsWith('.csv'))
    const file = message?.document && emulator.file(message.document.file_id)
    if (!file) return false
    const rows = file.bytes.toString().split('\r\n')
    for (const wish of wishes) {
      const code = rows.find((row) => row.startsWith(wish.token))?.split(',')[3]
      close(wish, code && `i_${code}`)
    }
    return true
  }

  /** Handles one request at the card of its record or roadmap. */
  function serve(wish: Wish) {
    const again = `card:${wish.role ? 'm' : 'r'}:${wish.token}`
    const card = newer().findLast((each) => dataOf(each).includes(again))
    if (!card && time.elapsed() - askedAt < PATIENCE_MS) return
    wish.tries = (wish.tries ?? 0) + 1
    // The test may be finished or have no assignee by now; other requests wait.
    if (wish.tries > MOST_TRIES) return close(wish)
    if (!card) return says(`/${wish.role ? 'roadmaps' : 'records'} ${wish.token}`)
    return wish.kind === 'invite' ? invite(wish, card, again) : release(wish, card, again)
  }

  function invite(wish: Wish, card: WireMessage, again: string) {
    const code = OPEN_CODE.exec(card.text ?? '')?.[1]
    const button = dataOf(card).find((data) => data.startsWith('invite:'))
    if (code) {
      close(wish, `i_${code}`)
      // Revokes an invitation once, so that one person has a code that opens nothing.
      if (chance.is(0.1) && !hasRevoked) {
        hasRevoked = true
        taps(card, `revoke:${code}`)
      }
      return
    }
    if (!button) return close(wish)
    const isMade = newer().some((each) => dataOf(each).some((data) => data.startsWith('revoke:')))
    // A put-back of the store may have lost the invitation.
    taps(card, isMade && chance.is(0.6) ? again : button)
  }

  function release(wish: Wish, card: WireMessage, again: string) {
    const buttons = (card.reply_markup?.inline_keyboard.flat() ?? []).filter(
      ({ text, callback_data: data = '' }) => data.startsWith('release:') && text.includes(wish.role ?? ''),
    )
    const data = buttons[0]?.callback_data
    // It is released already, but the new invitation came too late to be passed on.
    if (!data) return wish.role ? close(wish) : invite(wish, card, again)
    const question = newer().findLast((each) => dataOf(each).includes(`${data}:same`))
    if (!question) return taps(card, data)
    const isOther = dataOf(question).includes(`${data}:other`) && chance.is(0.3)
    const press = () => {
      if (wish.isPressed) return
      wish.isPressed = true
      since = time.elapsed()
      taps(question, `${data}:${isOther ? 'other' : 'same'}`)
      from = question.message_id
      if (isOther) close(wish)
    }
    if (!wish.at) return press()
    if (wish.isAwaited) return
    wish.isAwaited = true
    deps.moments.awaits({ ...wish.at, act: press })
    time.after(AWAITS_MS, press)
  }

  /** Passes on the invitation that a release makes. If it does not come in time, the request is closed. */
  function leadOn(wish: Wish, isPatient: boolean) {
    const made = newer().findLast(({ text = '' }) => CODE.test(text) && text.includes(wish.title))
    if (made || !isPatient) close(wish, CODE.exec(made?.text ?? '')?.[0])
  }

  function lookAround(newest: WireMessage) {
    if (acts >= MOST_ACTS || chance.is(0.5)) return
    acts += 1
    const buttons = dataOf(newest).filter((data) => CURIOUS.test(data))
    if (buttons.length > 0 && chance.is(0.7)) return taps(newest, chance.pick(buttons))
    const command = chance.pick(COMMANDS)
    const isSearch = /records|roadmaps/.test(command) && chance.is(0.4)
    says(isSearch ? `${command} ${chance.pick(words)}` : command)
  }

  /** Whether the last command was answered. */
  function isAnswered(asked: number): boolean {
    const said = [word('status-none'), word('status-title', { count: 1 }).split(' ۱ ')[0] ?? '']
    return person.messages.some(
      ({ message_id, text = '', caption = '' }) =>
        message_id > asked && said.some((each) => `${text}${caption}`.includes(each)),
    )
  }

  function act() {
    const newest = person.messages.findLast((each) => each.from.is_bot)
    const screen = newest ? JSON.stringify(newest) : ''
    const isNew = screen !== seen
    const isPatient = time.elapsed() - since < PATIENCE_MS
    if (last !== undefined) isDone = isAnswered(last)
    if (isDone) return
    // An organizer who is handling a request waits for the answer.
    if (!isNew && isPatient && (wishes.length > 0 || !newest || last !== undefined)) return
    seen = screen
    if (isNew || !isPatient) since = time.elapsed()
    if (!newest) return says('/start')
    if (isEverybodyDone()) {
      says('/status')
      last = person.messages.at(-1)?.message_id ?? 0
      return
    }
    const [wish] = wishes
    if (!wish) return takeUp() ? undefined : lookAround(newest)
    if (wishes.length > 1) {
      if (readFile() || time.elapsed() - askedAt < LIST_PATIENCE_MS) return
      // The file was lost, so the requests are made again.
      for (const each of [...wishes]) {
        close(each)
        desk.ask(each)
      }
      return
    }
    if (wish.isPressed) leadOn(wish, isPatient)
    else serve(wish)
  }

  function look(): void {
    act()
    if (!isDone) time.after(chance.between(...LOOK_MS), look)
  }

  return {
    begin: () => time.after(chance.below(2_000), look),
    isDone: () => isDone,
    /** Whether the organizer was shown a question, or the last answer never came. */
    judge(): Broken[] {
      const chat = JSON.stringify(person.messages)
      const isShownAnswers = chat.includes('جملهٔ') || /"callback_data":"a:/.test(chat)
      return [
        ...(isShownAnswers ? [{ kind: 'strayed' as const, what: `organizer ${id} reads a question` }] : []),
        ...(isDone || !isEverybodyDone()
          ? []
          : [{ kind: 'stuck' as const, what: `organizer ${id} has no answer` }]),
      ]
    },
  }
}

import { UUID } from '../domain/invitation.ts'
import { NOTICE_KINDS } from '../domain/notice.ts'
import type { Field, Gender } from '../domain/profile.ts'
import { BOARD_STAGES } from '../domain/record/standing.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'

/** One argument of a button's data: its pattern, and how it is written and read. */
export type Argument<T> = {
  pattern: string
  write(value: T): string
  read(text: string): T | undefined
  isOptional?: true
}

/** A button's verb with its arguments. It writes the callback data, and reads its own data again. */
export type Verb<A extends readonly unknown[]> = {
  readonly name: string
  /** Matches this verb's data and no other. */
  readonly pattern: RegExp
  data(...args: A): string
  /** `undefined` where the data is not of this verb. */
  read(data: string): A | undefined
}

/** Makes a verb that has these arguments in this order. */
export function verb<A extends readonly unknown[]>(
  name: string,
  ...args: { [K in keyof A]: Argument<A[K]> }
): Verb<A> {
  const parts: readonly Argument<unknown>[] = args
  /** Each argument reads its own type, in the order of A. Only an optional one may be missing. */
  const isComplete = (values: readonly unknown[]): values is A =>
    parts.every(({ isOptional }, index) => isOptional || values[index] !== undefined)
  const pattern = new RegExp(
    `^${name}${parts.map(({ pattern, isOptional }) => (isOptional ? `(?::(${pattern}))?` : `:(${pattern})`)).join('')}$`,
  )
  return {
    name,
    pattern,
    data: (...values) =>
      parts.reduce((data, { write }, index) => {
        const value = values[index]
        return value === undefined ? data : `${data}:${write(value)}`
      }, name),
    read(data) {
      const match = pattern.exec(data)
      if (!match) return undefined
      const values = parts.map(({ read }, index) => {
        const text = match[index + 1]
        return text === undefined ? undefined : read(text)
      })
      return isComplete(values) ? values : undefined
    },
  }
}

/** An argument that is written as it is. */
const word = (pattern: string): Argument<string> => ({ pattern, write: String, read: String })

/** Record id: the short id of a record or roadmap. */
const shortId = word('[\\w-]{1,16}')

export const count = (digits: number): Argument<number> => ({
  pattern: `\\d{1,${digits}}`,
  write: String,
  read: Number,
})

const base36 = (digits: number): Argument<number> => ({
  pattern: `[0-9a-z]{1,${digits}}`,
  write: (value) => value.toString(36),
  read: (text) => Number.parseInt(text, 36),
})

const oneOf = <W extends string>(...words: readonly W[]): Argument<W> => ({
  pattern: words.join('|'),
  write: (word) => word,
  read: (text) => words.find((word) => word === text),
})

const optional = <T>(argument: Argument<T>): Argument<T | undefined> => ({
  ...argument,
  write: (value) => (value === undefined ? '' : argument.write(value)),
  isOptional: true,
})

const position = count(5)
const page = count(3)
/** The service's number of a role. With 15 digits it is always a safe integer. */
const role = count(15)
const field = oneOf<Field>('name', 'birth', 'gender', 'mobile')

/** The buttons of the dialog. They carry no record id: they count only on the newest message that asks. */
const dialog = {
  /** `open` begins the calendar. The picker's own buttons (`birth:j:…`) are in domain/persian/picker.ts. */
  birth: verb('birth', oneOf('open', 'ok', 'other')),
  /** One of several readings. */
  birthPick: verb('birth:pick', count(1)),
  gender: verb('gender', oneOf<Gender>('male', 'female')),
  /** `link`: the guardian is asked on their own phone. */
  guardian: verb('guardian', oneOf('yes', 'no', 'link')),
  name: verb('name', oneOf('ok')),
  mobile: verb('mobile', oneOf('ok')),
  profile: verb('profile', oneOf('ok', 'keep', 'same')),
  /** In a roadmap: the role whose field it is. */
  profileEdit: verb<[field: Field, role?: number | undefined]>('profile:edit', field, optional(role)),
  /** In a roadmap: the role, before the field is chosen. */
  profileEditPerson: verb('profile:edit', role),
  sms: verb('sms', oneOf('again', 'mobile')),
}

/** A record or roadmap in the service, whether or not anything is stored about it here. */
export type Target = { kind: 'record' | 'roadmap'; token: string }

/** `T`: `r:<uuid>` or `m:<uuid>`. */
const target: Argument<Target> = {
  pattern: `[rm]:${UUID}`,
  write: ({ kind, token }) => `${kind === 'record' ? 'r' : 'm'}:${token}`,
  read: (text) => ({ kind: text.startsWith('r:') ? 'record' : 'roadmap', token: text.slice(2) }),
}

/** `C`: the code of an invitation. */
const code = word('[a-z2-7]{12}')

type Who = 'same' | 'other' | undefined

/** The buttons of organizers. For other accounts they count as old buttons. */
export const organizerButtons = {
  /** A listing, and its screen counted from 1. */
  list: verb('list', shortId, count(5)),
  /** The same screen, loaded from the service again. */
  relist: verb('relist', shortId),
  /** The filters of a listing; with a page, the groups to choose from. */
  filters: verb<[id: string, groups?: number | undefined]>('filters', shortId, optional(count(3))),
  filter: verb('filter', shortId, oneOf('finished', 'male'), oneOf('true', 'false', 'any')),
  /** The n-th test or product that the listing knows, counted from 0. */
  filterKind: verb('filter', shortId, oneOf('kind'), word('any|\\d{1,3}')),
  filterGroup: verb('filter', shortId, oneOf('group'), word('any|[\\w-]{1,16}')),
  /** Groups of invitations: all groups, one with a screen, its name, its reminders, its results. */
  groups: verb('groups', count(3)),
  group: verb('group', shortId, count(4)),
  groupName: verb('group', shortId, oneOf('name')),
  groupNudge: verb<[id: string, wish?: 'yes' | undefined]>('nudgeall', shortId, optional(oneOf('yes'))),
  groupResults: verb('results', shortId, oneOf('all')),
  /** With a screen of its roles, counted from 1, where they do not fit beside the rest. */
  card: verb<[target: Target, screen?: number | undefined]>('card', target, optional(count(2))),
  invite: verb<[target: Target, role?: number | undefined]>('invite', target, optional(role)),
  /** An invitation with all its actions. */
  made: verb('made', code),
  qr: verb('qr', code),
  /** The number of days from now; 0: no end. */
  expire: verb('expire', code, count(4)),
  to: verb('to', code, oneOf('participant', 'organizer', 'both')),
  revoke: verb('revoke', code),
  release: verb<[s: string, who?: Who]>('release', shortId, optional(oneOf('same', 'other'))),
  send: verb('send', shortId),
  /** `more`: with the buttons that did not fit beside the stages. */
  home: verb<[more?: 'more' | undefined]>('home', optional(oneOf('more'))),
  /** The people at a stage, with a screen counted from 1. */
  stage: verb('stage', oneOf(...BOARD_STAGES), count(5)),
  nudge: verb('nudge', target),
  /** The result of a test that was not finished here. */
  sendTarget: verb('send', target),
  notice: verb('notice', oneOf(...NOTICE_KINDS), oneOf('on', 'off')),
  /** Where participants stop in the n-th test of the board. */
  drop: verb('drop', count(3)),
  export: verb('export'),
  /** On a question: how to answer it. A reply to the message with this button is the answer. */
  asked: verb('asked', shortId),
  /** Sends the unanswered questions again. */
  questions: verb('questions'),
  results: verb('results'),
  /** The results of the n-th test of the board only. */
  resultsOf: verb('results', count(3)),
  audit: verb('audit'),
}

/** All callback data but the picker's: `verb` and its arguments, joined by `:`; ASCII, at most 64 bytes. */
export const buttons = {
  ...dialog,
  begin: verb('begin', shortId),
  refresh: verb('refresh', shortId),
  open: verb('open', shortId),
  retry: verb('retry', shortId),
  /** Option and question are counted from 0 through the whole test. The revision is the shown one's. */
  answer: verb('a', shortId, position, count(3), base36(7)),
  go: verb('go', shortId, position),
  review: verb('review', shortId, page),
  pause: verb('pause', shortId),
  /** Sends the answers that the review has shown, or nothing. The record's file knows which they were. */
  submit: verb('submit', shortId),
  result: verb('result', shortId),
  /** The next text goes to a person. Beside words that were no answer, the button sends those words. */
  ask: verb('ask', shortId),
  /** On a board: shows a button for each test that is left, or for the next ones only. */
  tests: verb('tests', shortId, oneOf('all', 'next')),
  /** A page of /tests, counted from 1. */
  testsPage: verb('tests:page', page),
  ready: verb('ready', shortId),
  /** At a hand-over: the minor who should take the phone does not agree. */
  decline: verb('decline', shortId),
  hand: verb('hand', shortId, role),
  unhand: verb('unhand', shortId, role),
  generate: verb('generate', shortId),
  /** The role of the person who began. */
  me: verb('me', shortId, role),
  /** For the account that began: reminds the people who are left. */
  recall: verb('recall', shortId),
  /** Whether the analysis begins without a request. */
  auto: verb('auto', shortId, oneOf('on', 'off')),
  /** For a guardian who is asked on their own phone, by the code of that link. */
  agree: verb('agree', code, oneOf('yes', 'no')),
  /** For an organizer: how to settle an external id that is taken already. */
  extid: verb('extid', shortId, oneOf('drop', 'new')),
  remind: verb('remind', oneOf('off', 'on')),
  large: verb('large', oneOf('on', 'off')),
  /** The hour of the day for reminders. */
  hour: verb('hour', count(2)),
  lang: verb('lang', oneOf(...LANGUAGE_CODES)),
  forget: verb('forget', oneOf('yes', 'no')),
  ...organizerButtons,
}

/** On the button of the current choice. */
export const TICK = '✓ '
export const tick = (isOn: boolean): string => (isOn ? TICK : '')

/** Any button of the dialog, also the picker's own and outdated ones. */
export const DIALOG_BUTTON = new RegExp(
  `^(?:${[...new Set(Object.values(dialog).map(({ name }) => name.split(':')[0]))].join('|')}):`,
)

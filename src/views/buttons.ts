import { UUID } from '../domain/invitation.ts'
import { NOTICE_KINDS } from '../domain/notice.ts'
import type { Field, Gender } from '../domain/profile.ts'
import { BOARD_STAGES } from '../domain/record/standing.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'

/** One argument of a button's data: what it looks like there, and its way in and out. */
export type Argument<T> = {
  pattern: string
  write(value: T): string
  read(text: string): T | undefined
  isOptional?: true
}

/** A button's verb with its arguments: packs them into callback data, and reads its own data again. */
export type Verb<A extends readonly unknown[]> = {
  readonly name: string
  /** Matches this verb's data and no other. */
  readonly pattern: RegExp
  data(...args: A): string
  /** `undefined` where the data is not of this verb. */
  read(data: string): A | undefined
}

/** A verb with its arguments in their order. */
export function verb<A extends readonly unknown[]>(
  name: string,
  ...args: { [K in keyof A]: Argument<A[K]> }
): Verb<A> {
  const parts: readonly Argument<unknown>[] = args
  /** Each argument reads its own type, in the order of A; one that read nothing has to be optional. */
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

/** What stands in the data as it is. */
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
/** As the service numbers it: the longest that is still a whole number here. */
const role = count(15)
const field = oneOf<Field>('name', 'birth', 'gender', 'mobile')

/** The buttons of the dialog. They carry no record id, so they count only on the message that asked last. */
const dialog = {
  /** `open` begins the calendar; the picker's own buttons (`birth:j:…`) are domain/persian/picker.ts. */
  birth: verb('birth', oneOf('open', 'ok', 'other')),
  /** One of several readings. */
  birthPick: verb('birth:pick', count(1)),
  gender: verb('gender', oneOf<Gender>('male', 'female')),
  /** `link`: who may agree is asked on their own phone. */
  guardian: verb('guardian', oneOf('yes', 'no', 'link')),
  name: verb('name', oneOf('ok')),
  mobile: verb('mobile', oneOf('ok')),
  profile: verb('profile', oneOf('ok', 'keep', 'same')),
  /** Of a roadmap: whose field. */
  profileEdit: verb<[field: Field, role?: number | undefined]>('profile:edit', field, optional(role)),
  /** Of a roadmap: whose details, before which field. */
  profileEditPerson: verb('profile:edit', role),
  sms: verb('sms', oneOf('again', 'mobile')),
}

/** A record or roadmap at the service, whether or not anything is kept about it here. */
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

/** The buttons of organizers; for anybody else they are old buttons. */
export const organizerButtons = {
  /** A listing, and its screen counted from 1. */
  list: verb('list', shortId, count(5)),
  /** The same screen, asked of the service anew. */
  relist: verb('relist', shortId),
  /** The filters of a listing; with a page, the groups to choose from. */
  filters: verb<[id: string, groups?: number | undefined]>('filters', shortId, optional(count(3))),
  filter: verb('filter', shortId, oneOf('finished', 'male'), oneOf('true', 'false', 'any')),
  /** The n-th test or product that the listing knows, counted from 0. */
  filterKind: verb('filter', shortId, oneOf('kind'), word('any|\\d{1,3}')),
  filterGroup: verb('filter', shortId, oneOf('group'), word('any|[\\w-]{1,16}')),
  /** What was invited together: all of it, one of them with a screen, its name, who is stuck in it, its results. */
  groups: verb('groups', count(3)),
  group: verb('group', shortId, count(4)),
  groupName: verb('group', shortId, oneOf('name')),
  groupNudge: verb<[id: string, wish?: 'yes' | undefined]>('nudgeall', shortId, optional(oneOf('yes'))),
  groupResults: verb('results', shortId, oneOf('all')),
  /** With a screen of its roles, counted from 1, where they do not fit beside all else. */
  card: verb<[target: Target, screen?: number | undefined]>('card', target, optional(count(2))),
  invite: verb<[target: Target, role?: number | undefined]>('invite', target, optional(role)),
  /** An invitation with all that can be done with it. */
  made: verb('made', code),
  qr: verb('qr', code),
  /** So many days from now; 0: no end. */
  expire: verb('expire', code, count(4)),
  to: verb('to', code, oneOf('participant', 'organizer', 'both')),
  revoke: verb('revoke', code),
  release: verb<[s: string, who?: Who]>('release', shortId, optional(oneOf('same', 'other'))),
  send: verb('send', shortId),
  /** `more`: with the ways that did not fit beside the stages. */
  home: verb<[more?: 'more' | undefined]>('home', optional(oneOf('more'))),
  /** Who is at a stage, a screen of them counted from 1. */
  stage: verb('stage', oneOf(...BOARD_STAGES), count(5)),
  nudge: verb('nudge', target),
  /** What was not finished here. */
  sendTarget: verb('send', target),
  notice: verb('notice', oneOf(...NOTICE_KINDS), oneOf('on', 'off')),
  /** Where people stop in the n-th test of the board. */
  drop: verb('drop', count(3)),
  export: verb('export'),
  /** On a question: how it is answered; what a reply to that message answers. */
  asked: verb('asked', shortId),
  /** Brings the unanswered questions again. */
  questions: verb('questions'),
  results: verb('results'),
  /** Only of the n-th test of the board. */
  resultsOf: verb('results', count(3)),
  audit: verb('audit'),
}

/** All callback data but the calendar's own: `verb` and its arguments, joined by `:`; ASCII, at most 64 bytes. */
export const buttons = {
  ...dialog,
  begin: verb('begin', shortId),
  refresh: verb('refresh', shortId),
  open: verb('open', shortId),
  retry: verb('retry', shortId),
  /** Option and question are counted from 0 through the whole test; the revision is that of what is shown. */
  answer: verb('a', shortId, position, count(3), base36(7)),
  go: verb('go', shortId, position),
  review: verb('review', shortId, page),
  pause: verb('pause', shortId),
  /** What the review has shown is sent, or nothing: the record's file remembers which answers those were. */
  submit: verb('submit', shortId),
  result: verb('result', shortId),
  /** The next text goes to a person; beside words that were no answer it sends those. */
  ask: verb('ask', shortId),
  /** Of a board: a button for each test that is left, or for the next ones alone. */
  tests: verb('tests', shortId, oneOf('all', 'next')),
  /** A page of /tests, counted from 1. */
  testsPage: verb('tests:page', page),
  ready: verb('ready', shortId),
  /** At a hand-over: the minor who was to have the phone does not agree. */
  decline: verb('decline', shortId),
  hand: verb('hand', shortId, role),
  unhand: verb('unhand', shortId, role),
  generate: verb('generate', shortId),
  /** Which role the one is who began. */
  me: verb('me', shortId, role),
  /** Of the one who began: has those reminded who are left. */
  recall: verb('recall', shortId),
  /** Whether the analysis begins by itself. */
  auto: verb('auto', shortId, oneOf('on', 'off')),
  /** Of whoever was asked on their own phone, by the code of that link. */
  agree: verb('agree', code, oneOf('yes', 'no')),
  /** For an organizer: how an external id that is taken already is settled. */
  extid: verb('extid', shortId, oneOf('drop', 'new')),
  remind: verb('remind', oneOf('off', 'on')),
  large: verb('large', oneOf('on', 'off')),
  /** The hour of the day to be reminded at. */
  hour: verb('hour', count(2)),
  lang: verb('lang', oneOf(...LANGUAGE_CODES)),
  forget: verb('forget', oneOf('yes', 'no')),
  ...organizerButtons,
}

/** On the button of what is chosen, or set. */
export const TICK = '✓ '
export const tick = (isOn: boolean): string => (isOn ? TICK : '')

/** Any button of the dialog, the picker's own ones and outdated ones too. */
export const DIALOG_BUTTON = new RegExp(
  `^(?:${[...new Set(Object.values(dialog).map(({ name }) => name.split(':')[0]))].join('|')}):`,
)

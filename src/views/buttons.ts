import type { Field, Gender } from '../domain/profile.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'

/** One argument of a button's data: what it looks like there, and its way in and out. */
type Argument<T> = {
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

function verb<A extends readonly unknown[]>(
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

/** `S`: the short id of a record or roadmap. */
const shortId: Argument<string> = { pattern: '[\\w-]{1,16}', write: (s) => s, read: (text) => text }

const count = (digits: number): Argument<number> => ({
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
const role = count(9)
const field = oneOf<Field>('name', 'birth', 'gender', 'mobile')

/** The buttons of the dialog. They carry no `S`, so they count only on the message that asked last. */
const dialog = {
  /** `open` begins the calendar; the picker's own buttons (`birth:j:…`) are domain/persian/picker.ts. */
  birth: verb('birth', oneOf('open', 'ok', 'other')),
  /** One of several readings. */
  birthPick: verb('birth:pick', count(1)),
  gender: verb('gender', oneOf<Gender>('male', 'female')),
  guardian: verb('guardian', oneOf('yes', 'no')),
  name: verb('name', oneOf('ok')),
  mobile: verb('mobile', oneOf('ok')),
  profile: verb('profile', oneOf('ok', 'keep')),
  /** Of a roadmap: whose field. */
  profileEdit: verb<[field: Field, role?: number | undefined]>('profile:edit', field, optional(role)),
  /** Of a roadmap: whose details, before which field. */
  profileEditPerson: verb('profile:edit', role),
  sms: verb('sms', oneOf('again', 'mobile')),
}

/** All callback data: `verb` and its arguments, joined by `:`; ASCII, at most 64 bytes. */
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
  submit: verb('submit', shortId),
  result: verb('result', shortId),
  ready: verb('ready', shortId),
  hand: verb('hand', shortId, role),
  unhand: verb('unhand', shortId, role),
  generate: verb('generate', shortId),
  /** For an organizer: how an external id that is taken already is settled. */
  extid: verb('extid', shortId, oneOf('drop', 'new')),
  remind: verb('remind', oneOf('off')),
  lang: verb('lang', oneOf(...LANGUAGE_CODES)),
  forget: verb('forget', oneOf('yes', 'no')),
}

/** Any button of the dialog, the picker's own ones and outdated ones too. */
export const DIALOG_BUTTON = new RegExp(
  `^(?:${[...new Set(Object.values(dialog).map(({ name }) => name.split(':')[0]))].join('|')}):`,
)

import { NOTICE_KINDS } from '../domain/notice.ts'
import { type Argument, count, oneOf, optional, shortId, verb } from './verb.ts'

/** A record or roadmap at the service, whether or not anything is kept about it here. */
export type Target = { kind: 'record' | 'roadmap'; token: string }

const LETTERS = { record: 'r', roadmap: 'm' } as const
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** `T`: `r:<uuid>` or `m:<uuid>`. */
const target: Argument<Target> = {
  pattern: `[rm]:${UUID}`,
  write: ({ kind, token }) => `${LETTERS[kind]}:${token}`,
  read: (text) => ({ kind: text.startsWith('r:') ? 'record' : 'roadmap', token: text.slice(2) }),
}

/** `C`: the code of an invitation. */
const code: Argument<string> = { pattern: '[a-z2-7]{12}', write: (text) => text, read: (text) => text }

const role = count(9)
const anyOr = (word: Argument<string>): Argument<string> => ({ ...word, pattern: `any|${word.pattern}` })
const index: Argument<string> = { pattern: '\\d{1,3}', write: (text) => text, read: (text) => text }

/** The buttons of organizers; for anybody else they are old buttons. */
export const organizerButtons = {
  /** A listing, and its screen counted from 1. */
  list: verb('list', shortId, count(5)),
  /** The same screen, asked of the service anew. */
  relist: verb('relist', shortId),
  filter: verb('filter', shortId, oneOf('finished', 'male'), oneOf('true', 'false', 'any')),
  /** The n-th test or product that the listing knows, counted from 0. */
  filterKind: verb('filter', shortId, oneOf('kind'), anyOr(index)),
  card: verb('card', target),
  invite: verb<[target: Target, role?: number | undefined]>('invite', target, optional(role)),
  qr: verb('qr', code),
  /** So many days from now; 0: no end. */
  expire: verb('expire', code, count(4)),
  to: verb('to', code, oneOf('participant', 'organizer', 'both')),
  revoke: verb('revoke', code),
  release: verb<[s: string, who?: 'same' | 'other' | undefined]>(
    'release',
    shortId,
    optional(oneOf('same', 'other')),
  ),
  send: verb('send', shortId),
  notice: verb('notice', oneOf(...NOTICE_KINDS), oneOf('on', 'off')),
  /** Where people stop in the n-th test of the board. */
  drop: verb('drop', count(3)),
  export: verb('export'),
  audit: verb('audit'),
}

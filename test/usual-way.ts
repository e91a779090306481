import type { Account } from './account.ts'
import type { Place } from './places.ts'

/** The details of a participant in the usual way. */
export const ZAHRA = {
  name: 'زهرا محمدی',
  /** As picked in the calendar, as typed, and as the service gets it. */
  birth: 'birth:j:1375:5:12',
  typedBirth: '1375/5/12',
  iso: '1996-08-02',
  mobile: '09123456789',
}

/** The usual action at each place; each story answers questions in its own way. */
export const usualWay = (
  { taps, says, forges }: Pick<Account, 'taps' | 'says' | 'forges'>,
  code: () => string,
) =>
  ({
    introduction: () => taps(/^begin:/),
    name: () => says(ZAHRA.name),
    'name-confirm': () => taps('name:ok'),
    birth: () => forges(ZAHRA.birth),
    guardian: () => taps('guardian:yes'),
    gender: () => taps('gender:female'),
    mobile: () => says(ZAHRA.mobile),
    summary: () => taps('profile:ok'),
    code: () => says(code()),
    review: () => taps(/^submit:/),
  }) satisfies Partial<Record<Place, () => Promise<unknown>>>

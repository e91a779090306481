import type { Account } from './account.ts'
import type { Place } from './places.ts'

/** What a participant gives who does nothing unusual. */
export const ZAHRA = {
  name: 'زهرا محمدی',
  /** Picked in the calendar, typed, and as the service gets it. */
  birth: 'birth:j:1375:5:12',
  typedBirth: '1375/5/12',
  iso: '1996-08-02',
  mobile: '09123456789',
}

/** What is done at a place in the usual way; a question is answered by each story as it likes. */
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

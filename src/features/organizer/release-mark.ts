import { changeDesk, openDesk } from '../../chat/desk.ts'
import { claimOf, forgetToken, knownShortId, putClaim } from '../../chat/files.ts'
import type { OrganizerSession } from '../../chat/session.ts'
import type { Turn } from '../../chat/turn.ts'
import { MOBILE_TRIES } from '../../kept/documents.ts'
import { releaseView } from '../../views/organizer-release.ts'
import { noteAct } from './audit.ts'
import type { SeenTarget } from './seen.ts'

type Mark = NonNullable<OrganizerSession['releasable']>

/**
 * `S` of what was begun here and of which nothing but the mark is kept (after /forget, or when its term is over), so
 * that it can be released. Noted on the desk, since nothing leads from an `S` to a mark.
 */
export async function markOf(turn: Turn, seen: SeenTarget): Promise<string | undefined> {
  const claim = await claimOf(turn, seen.token)
  if (!claim || (claim.who === undefined && claim.tries === undefined)) return undefined
  const s = await knownShortId(turn, seen.token)
  if (s === undefined) return undefined
  const { token, title } = seen
  const mobileOf = seen.needsProfile ? undefined : profiledRecord(seen)
  await changeDesk(turn, (desk) => ({ ...desk, releasable: { s, token, title, mobileOf } }))
  return s
}

/** A roadmap itself names no profiles; one mobile stands in all of them. */
const profiledRecord = (seen: SeenTarget): string | undefined =>
  seen.kind === 'record' ? seen.token : seen.roles.flatMap(({ tests }) => tests)[0]?.token

/** Frees what only a mark is kept of: nobody's answers are here, so everybody begins at the introduction. */
export async function releaseMark(turn: Turn, s: string, who: 'same' | 'other' | undefined): Promise<void> {
  const { t } = turn
  const { releasable: mark } = await openDesk(turn)
  const claim = mark?.s === s ? await claimOf(turn, mark.token) : undefined
  if (!mark || !claim) return void (await turn.say({ text: t('release-nobody') }))
  const { title, mobileOf } = mark
  if (who === undefined)
    return void (await turn.say(releaseView(t, { s, title, canBeOther: mobileOf === undefined })))
  if (who === 'other' && mobileOf !== undefined)
    return void (await turn.say({ text: t('release-refused', { title }) }))
  free(turn, mark, claim.before)
  await noteAct(turn, who === 'same' ? 'release-same' : 'release-other', mark.token)
  await turn.say({ text: t(mobileOf === undefined ? 'release-anew-done' : 'release-mark-done', { title }) })
}

/** Whoever had it deleted may well be the one who begins anew. */
function free(turn: Turn, { token, mobileOf }: Mark, before: string[] | undefined): void {
  putClaim(turn, token, { before, ...(mobileOf !== undefined && { tries: MOBILE_TRIES, mobileOf }) })
  forgetToken(turn, token)
}

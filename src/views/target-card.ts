import type { whyClosed } from '../domain/invitation.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Standing } from '../domain/record/standing.ts'
import type { MadeInvitation } from '../storage/documents/invitations.ts'
import { raw, shorten, type Translate } from '../texts/texts.ts'
import { buttons, type Target } from './buttons.ts'
import { personLines } from './organizer-notices.ts'
import { type ServiceState, serviceStateText, standingText } from './tests.ts'
import {
  type Button,
  button,
  dayTimeText,
  inMessages,
  lines,
  MOST_BUTTONS,
  pageRow,
  screenOf,
  type View,
} from './view.ts'

/** The state of a record's or roadmap's claim in this bot. */
export type ClaimState =
  | { kind: 'free' | 'forgotten' | 'of-roadmap' }
  | { kind: 'released'; tries: number }
  /** Its roles were invited one by one, and no account has begun the whole. */
  | { kind: 'roles'; standing: Standing }
  /** It was begun, and stayed unfinished until its retention ended. */
  | { kind: 'expired'; at: number | undefined }
  | {
      kind: 'begun'
      at: number | undefined
      standing: Standing
      activeAt: number | undefined
      stuckHours: number | undefined
    }

/** A role of a roadmap with its tests. A test that is under way has its standing here. */
export type CardRole = {
  id: number
  title: string
  tests: readonly (ServiceState & { title: string; standing?: Standing | undefined; validity?: Answered })[]
  /** The role has an account of its own, which may have begun, or was released since. */
  hand?: { begunAt: number | undefined; tries: number | undefined } | undefined
}

type Closed = ReturnType<typeof whyClosed>
/** How the test was answered here, never what was answered. */
type Answered = RecordFile['validity']

export type TargetCard = ServiceState &
  Target & {
    title: string
    validity?: Answered
    person?:
      | { name: string | null; age: number | null; caseNumber: string | null; externalId: number | null }
      | undefined
    roles: readonly CardRole[]
    claim: ClaimState
    /** A participant waits for the organizer (status 0): since when, and who, as far as that is known. */
    waits: { since: number; name: string | undefined; externalId: number | undefined } | undefined
    invitations: readonly (Pick<MadeInvitation, 'code' | 'role' | 'until'> & { closed: Closed })[]
    owed: 'participant' | 'organizer' | 'both' | undefined
    /** A participant has something to do in it and can be reminded. */
    canNudge: boolean
    canInvite: boolean
    /** Roles that can be invited one by one. */
    inviteRoles: readonly { id: number; title: string }[]
    /** The record id, if something is stored here that can be released, or has a result. */
    release: string | undefined
    /** Each role that has an account of its own, with the record id by which it is released. */
    releaseRoles: readonly { s: string; title: string }[]
    send: string | undefined
  }

const MOST_INVITATIONS = 8
const LETTERS_A_NAME = 100

/** Everything about one record or roadmap, with its buttons; of many roles, one screen of the buttons. */
export const targetCardView = (t: Translate, card: TargetCard, screen = 1): View => ({
  ...inMessages(
    head(t, card),
    personText(t, card),
    card.roles.map((role) => roleText(t, role)),
    lines(claimText(t, card), validityLine(t, card.validity)),
    waitsText(t, card),
    invitationTexts(t, card),
    card.owed && t(`card-owed-${card.owed}`),
  ),
  keyboard: rows(t, card, screen),
})

const head = (t: Translate, card: TargetCard): string =>
  lines(
    t('card-title', { title: card.title }),
    t(card.kind === 'record' ? 'card-record' : 'card-roadmap'),
    t('card-state', { state: serviceStateText(t, card) }),
    t('card-token', { token: card.token }),
  )

function personText(t: Translate, { person }: TargetCard): string {
  if (!person) return ''
  const { age, caseNumber, externalId } = person
  const name = person.name === null ? null : shorten(person.name, LETTERS_A_NAME)
  const named = name === null || age === null ? name : raw(t('card-person-age', { name, age }))
  return personLines(t, named, caseNumber, externalId)
}

const roleText = (t: Translate, { title: role, tests, hand }: CardRole): string =>
  lines(
    t('card-role', { role }),
    hand && handText(t, hand),
    tests.map((test) => {
      const state = test.standing ? standingText(t, test.standing) : serviceStateText(t, test)
      return lines(t('card-role-test', { title: test.title, state }), validityLine(t, test.validity))
    }),
  )

const validityLine = (t: Translate, validity: Answered) => validity && t('card-validity', validity)

function handText(t: Translate, { begunAt, tries }: NonNullable<CardRole['hand']>): string {
  if (tries !== undefined) return t('card-released', { tries })
  return begunAt === undefined ? t('card-role-invited') : t('card-begun', { time: dayTimeText(t, begunAt) })
}

function claimText(t: Translate, { claim }: TargetCard): string {
  switch (claim.kind) {
    case 'of-roadmap':
    case 'free':
    case 'forgotten':
      return t(`card-${claim.kind}`)
    case 'released':
      return t('card-released', { tries: claim.tries })
    case 'roles':
      return lines(t('card-roles'), t('card-stage', { state: standingText(t, claim.standing) }))
    case 'expired':
      return lines(begunAtText(t, claim.at), t('card-expired'))
    case 'begun':
      return begunText(t, claim)
  }
}

const begunAtText = (t: Translate, at: number | undefined) =>
  at !== undefined && t('card-begun', { time: dayTimeText(t, at) })

const begunText = (
  t: Translate,
  { at, standing, activeAt, stuckHours: hours }: Extract<ClaimState, { kind: 'begun' }>,
): string =>
  lines(
    begunAtText(t, at),
    t('card-stage', { state: standingText(t, standing) }),
    activeAt !== undefined && t('card-active', { time: dayTimeText(t, activeAt) }),
    hours !== undefined && t('card-stuck', { hours }),
  )

function waitsText(t: Translate, { waits }: TargetCard): string {
  if (!waits) return ''
  const { since, name, externalId } = waits
  const time = dayTimeText(t, since)
  if (name !== undefined) return t('card-waits-name', { name: shorten(name, LETTERS_A_NAME), time })
  if (externalId === undefined) return t('card-waits', { time })
  return t('card-waits-id', { id: String(externalId), time })
}

function invitationTexts(t: Translate, { invitations }: TargetCard): string {
  if (invitations.length === 0) return ''
  const more = invitations.length - MOST_INVITATIONS
  const shown = invitations.slice(0, MOST_INVITATIONS).map(({ code, role, closed, until }) => {
    // How long the invitation opens, or why it does not.
    const state = t.plain(`invitation-state-${closed ?? (until === undefined ? 'open' : 'until')}`, {
      time: until === undefined ? '' : dayTimeText(t, until),
    })
    return role === undefined
      ? t('card-invitation', { code, state })
      : t('card-invitation-role', { role: role.title, code, state })
  })
  return lines(t('card-invitations'), shown, more > 0 && t('card-invitations-more', { count: more }))
}

function rows(t: Translate, card: TargetCard, wanted: number): Button[][] {
  const { kind, token, canNudge, canInvite, inviteRoles, release, releaseRoles, send, invitations } = card
  const target = { kind, token }
  const first = [
    ...(canNudge ? [[button(t.plain('button-card-nudge'), buttons.nudge.data(target), 'primary')]] : []),
    ...(canInvite ? [[button(t.plain('button-card-invite'), buttons.invite.data(target), 'primary')]] : []),
  ]
  const roles = [
    ...inviteRoles.map(({ id, title: role }) => [
      button(t.plain('button-card-invite-role', { role }), buttons.invite.data(target, id)),
    ]),
    ...releaseRoles.map(({ s, title: role }) => [
      button(t.plain('button-card-release-role', { role }), buttons.release.data(s)),
    ]),
  ]
  const last = [
    ...(send ? [[button(t.plain('button-card-send'), send)]] : []),
    ...(release ? [[button(t.plain('button-card-release'), buttons.release.data(release))]] : []),
    [button(t.plain('button-card-again'), buttons.card.data(target))],
  ]
  const made = invitations
    .filter(({ closed }) => closed !== 'used' && closed !== 'revoked')
    .map(({ code }) => [button(t.plain('button-card-made', { code }), buttons.made.data(code))])
  const room = MOST_BUTTONS - first.length - last.length
  // The room that is left on a phone is for the open invitations.
  if (roles.length <= room) return [...first, ...roles, ...made.slice(0, room - roles.length), ...last]
  const most = room - 2
  const at = screenOf(roles.length, most, wanted)
  const pages = pageRow(t, at, (to) => buttons.card.data(target, to))
  return [...first, ...roles.slice(at.before, at.before + most), ...pages, ...last]
}

type ReleasedRoles = { title: string; roles: readonly { s: string; title: string }[] }

/** Asks which role to release, where each has an account of its own. */
export const releaseRoleView = (t: Translate, { title, roles }: ReleasedRoles): View => ({
  text: t('release-ask-role', { title }),
  keyboard: roles.map(({ s, title: role }) => [button(role, buttons.release.data(s))]),
})

type Released = { s: string; title: string; canBeOther: boolean }

/** Asks who goes on: the same person or, while the service has no profile, another one. */
export const releaseView = (t: Translate, { s, title, canBeOther }: Released): View => ({
  text: t('release-ask', { title }),
  keyboard: (canBeOther ? (['same', 'other'] as const) : (['same'] as const)).map((who) => [
    button(t.plain(`button-release-${who}`), buttons.release.data(s, who)),
  ]),
})

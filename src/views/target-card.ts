import type { Standing } from '../domain/record/standing.ts'
import { raw } from '../texts/html.ts'
import { shorten } from '../texts/shorten.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import type { Target } from './organizer-buttons.ts'
import { type ServiceState, serviceStateText, standingText } from './standing.ts'
import { dayTimeText } from './times.ts'
import { button, type View } from './view.ts'

/** Where the claim of a record or roadmap stands here. */
export type ClaimState =
  | { kind: 'free' | 'forgotten' | 'of-roadmap' }
  | { kind: 'released'; tries: number }
  /** Its roles were invited one by one, and nobody has begun the whole. */
  | { kind: 'roles'; standing: Standing }
  | {
      kind: 'begun'
      at: number | undefined
      standing: Standing
      activeAt: number | undefined
      stuckHours: number | undefined
    }

export type InvitationLine = {
  code: string
  role: string | undefined
  state: 'open' | 'until' | 'expired' | 'used' | 'revoked'
  until: number | undefined
}

/** A role of a roadmap with its tests, each with where it stands here while it is under way. */
export type CardRole = {
  id: number
  title: string
  tests: readonly (ServiceState & { title: string; standing?: Standing | undefined })[]
  /** It was given to an account of its own, which may have begun, or was released since. */
  hand?: { begunAt: number | undefined; tries: number | undefined } | undefined
}

export type TargetCard = ServiceState &
  Target & {
    title: string
    person?: { name: string | null; age: number | null; caseNumber: string | null; externalId: number | null }
    roles: readonly CardRole[]
    claim: ClaimState
    /** Somebody waits for the organizer (status 0): since when, and who, as far as anybody is known. */
    waits: { since: number; name: string | undefined; externalId: number | undefined } | undefined
    invitations: readonly InvitationLine[]
    owed: 'participant' | 'organizer' | 'both' | undefined
    canInvite: boolean
    /** Roles that can be invited one by one. */
    inviteRoles: readonly { id: number; title: string }[]
    /** Record id, where something is kept here that can be released, or has a result. */
    release: string | undefined
    /** Each role that has an account of its own, with the record id by which it is released. */
    releaseRoles: readonly { s: string; title: string }[]
    send: string | undefined
  }

const MOST_INVITATIONS = 8
const LETTERS_A_NAME = 100

/** Everything about one record or roadmap, and what can be done with it. */
export function targetCardView(t: Translate, card: TargetCard): View {
  return {
    text: [
      head(t, card),
      personText(t, card),
      ...roleTexts(t, card),
      claimText(t, card),
      waitsText(t, card),
      invitationTexts(t, card),
      owedText(t, card),
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
    keyboard: rows(t, card),
  }
}

function head(t: Translate, card: TargetCard): string {
  const { kind, title, token } = card
  return [
    t('card-title', { title }),
    t(kind === 'record' ? 'card-record' : 'card-roadmap'),
    t('card-state', { state: serviceStateText(t, card) }),
    t('card-token', { token }),
  ].join('\n')
}

function personText(t: Translate, { person }: TargetCard): string {
  if (!person) return ''
  const { age, caseNumber, externalId } = person
  const name = person.name === null ? null : shorten(person.name, LETTERS_A_NAME)
  const named =
    name === null
      ? []
      : [t('card-person', { name: age === null ? name : raw(t('card-person-age', { name, age })) })]
  return [
    ...named,
    ...(caseNumber === null ? [] : [t('card-case', { number: caseNumber })]),
    ...(externalId === null ? [] : [t('card-external-id', { id: String(externalId) })]),
  ].join('\n')
}

const roleTexts = (t: Translate, { roles }: TargetCard): string[] =>
  roles.map(({ title, tests, hand }) =>
    [
      t('card-role', { role: title }),
      ...(hand ? [handText(t, hand)] : []),
      ...tests.map((test) => {
        const state = test.standing ? standingText(t, test.standing) : serviceStateText(t, test)
        return t('card-role-test', { title: test.title, state })
      }),
    ].join('\n'),
  )

function handText(t: Translate, { begunAt, tries }: NonNullable<CardRole['hand']>): string {
  if (tries !== undefined) return t('card-released', { tries })
  return begunAt === undefined ? t('card-role-invited') : t('card-begun', { time: dayTimeText(t, begunAt) })
}

function claimText(t: Translate, { claim }: TargetCard): string {
  switch (claim.kind) {
    case 'of-roadmap':
      return t('card-of-roadmap')
    case 'free':
      return t('card-free')
    case 'forgotten':
      return t('card-forgotten')
    case 'released':
      return t('card-released', { tries: claim.tries })
    case 'roles':
      return [t('card-roles'), t('card-stage', { state: standingText(t, claim.standing) })].join('\n')
    case 'begun':
      return begunText(t, claim)
  }
}

function begunText(
  t: Translate,
  { at, standing, activeAt, stuckHours }: Extract<ClaimState, { kind: 'begun' }>,
): string {
  return [
    ...(at === undefined ? [] : [t('card-begun', { time: dayTimeText(t, at) })]),
    t('card-stage', { state: standingText(t, standing) }),
    ...(activeAt === undefined ? [] : [t('card-active', { time: dayTimeText(t, activeAt) })]),
    ...(stuckHours === undefined ? [] : [t('card-stuck', { hours: stuckHours })]),
  ].join('\n')
}

function waitsText(t: Translate, { waits }: TargetCard): string {
  if (!waits) return ''
  const { since, name, externalId } = waits
  const time = dayTimeText(t, since)
  if (name !== undefined) return t('card-waits-name', { name: shorten(name, LETTERS_A_NAME), time })
  return externalId === undefined
    ? t('card-waits', { time })
    : t('card-waits-id', { id: String(externalId), time })
}

/** How long an invitation opens, or why it does not. */
function invitationStateText(
  t: Translate,
  { state, until }: Pick<InvitationLine, 'state' | 'until'>,
): string {
  if (state !== 'until' || until === undefined)
    return t.plain(`invitation-state-${state === 'until' ? 'open' : state}`)
  return t.plain('invitation-state-until', { time: dayTimeText(t, until) })
}

function invitationTexts(t: Translate, { invitations }: TargetCard): string {
  if (invitations.length === 0) return ''
  const more = invitations.length - MOST_INVITATIONS
  return [
    t('card-invitations'),
    ...invitations.slice(0, MOST_INVITATIONS).map(({ code, role, ...line }) => {
      const state = invitationStateText(t, line)
      return role === undefined
        ? t('card-invitation', { code, state })
        : t('card-invitation-role', { role, code, state })
    }),
    ...(more > 0 ? [t('card-invitations-more', { count: more })] : []),
  ].join('\n')
}

const owedText = (t: Translate, { owed }: TargetCard): string => (owed ? t(`card-owed-${owed}`) : '')

function rows(t: Translate, card: TargetCard) {
  const { kind, token, canInvite, inviteRoles, release, releaseRoles, send } = card
  const target = { kind, token }
  return [
    ...(canInvite ? [[button(t.plain('button-card-invite'), buttons.invite.data(target), 'primary')]] : []),
    ...inviteRoles.map(({ id, title }) => [
      button(t.plain('button-card-invite-role', { role: title }), buttons.invite.data(target, id)),
    ]),
    ...(send ? [[button(t.plain('button-card-send'), buttons.send.data(send))]] : []),
    ...(release ? [[button(t.plain('button-card-release'), buttons.release.data(release))]] : []),
    ...releaseRoles.map(({ s, title }) => [
      button(t.plain('button-card-release-role', { role: title }), buttons.release.data(s)),
    ]),
    [button(t.plain('button-card-again'), buttons.card.data(target))],
  ]
}

import { expect, test } from 'vitest'
import { findInvitation } from '../../src/domain/invitation.ts'
import { newCode } from '../../src/storage/documents/invitations.ts'

const CODE = 'wk6efgexc4il'

test.each([CODE, 'Wk6efgexc4il', 'WK6EFGEXC4IL', `\u200e${CODE} `])(
  "%j is a code, as a phone's keyboard writes it",
  (text) => {
    expect(findInvitation(text)).toEqual({ kind: 'code', code: CODE, isBare: true })
  },
)

test.each([`i_${CODE}`, 'I_WK6EFGEXC4IL', `I_${CODE}`])('%j is the payload of a code', (text) => {
  expect(findInvitation(text)).toEqual({ kind: 'code', code: CODE })
})

test.each([
  'MODA CODA 5UET',
  'moda-coda-5uet',
  'm0da c0da 5uet',
  'm0dac0da5uet',
  'modacoda۵uet',
  'کد من modacoda5uet است',
  'کد من MODA CODA 5UET است.',
  'my code is moda coda 5uet',
  '  moda  coda  5uet ',
])('%j is a code, read out or copied from paper', (text) => {
  expect(findInvitation(text)).toEqual({ kind: 'code', code: 'modacoda5uet', isBare: true })
})

const T = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  [`https://t.me/bot?start=i_${CODE}`, { kind: 'code', code: CODE }],
  [`see tg://resolve?domain=bot&start=roadmap_${T} please`, { kind: 'roadmap', token: T }],
  [`t.me/bot?start=record_${T}_7`, { kind: 'record', token: T, externalId: 7 }],
  [` record_${T} `, { kind: 'record', token: T }],
  [`https://t.me/bot?start=x ${CODE}`, undefined],
  [`x_${CODE}`, { kind: 'code', code: CODE, isBare: true }],
  ['i_short', undefined],
  [`RECORD_${T}`, { kind: 'record', token: T }],
])('in %j an invitation is found: %j', (text, invitation) => {
  expect(findInvitation(text)).toEqual(invitation)
})

test.each([
  ['mo da co da 5u et', true],
  ['m od ac od a5 u et', false],
  ['moda coda fuet', true],
  ['mod acodaf uet', false],
  [`${'ا'.repeat(67)} modacoda5uet`, true],
  [`${'ا'.repeat(68)} modacoda5uet`, false],
])('%j has a code in it: %s', (text, isSo) => {
  expect(findInvitation(text) !== undefined).toBe(isSo)
})

test('a new code has no letters that are mistaken for others', () => {
  for (let made = 0; made < 200; made += 1) expect(newCode()).toMatch(/^[a-hjkmnp-z][a-hjkmnp-z2-7]{11}$/)
  expect(findInvitation('bade1aga2345')).toEqual(findInvitation('BADELAGA2345'))
})

test.each([
  'wk6efgexc4i',
  'wk6efgexc4il2',
  'wk6efgexc489',
  '234567234567',
  'سلام',
  'I am not sure about it',
  'no i do not want it',
  '0912 345 6789',
  '3c4b1a2b-0000-4000-8000-7c2123456789',
])('%j is not an invitation', (text) => {
  expect(findInvitation(text)).toBeUndefined()
})

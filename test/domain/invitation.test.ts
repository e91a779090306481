import { expect, test } from 'vitest'
import { findInvitation } from '../../src/domain/invitation.ts'

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

test.each(['wk6efgexc4i', 'wk6efgexc4il2', 'wk6efgexc4i1', '234567234567', 'سلام'])('%j is none', (text) => {
  expect(findInvitation(text)).toBeUndefined()
})

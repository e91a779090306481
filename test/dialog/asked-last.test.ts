import { expect, test } from 'vitest'
import { askedLast, noteSent, saidButton } from '../../src/dialog/asked-last.ts'
import { type Account, newAccount } from '../../src/domain/account.ts'

const begin = { s: 'own', ask: 'begin', messageId: 5 }
const detail = { s: 'own', ask: 'summary:0', messageId: 5 }
const said = { s: 'own', revision: 3, option: 1 }
const screens = { own: 5 }
const option = { is: 'option', option: 1, revision: 3 }

/** A chat in which an organizer has answered with this message. */
const chat = (known: Partial<Account>, reply?: number) => ({
  account: { ...newAccount(1), questions: [{ id: 'q', at: 0 }], ...known },
  work: { get: async () => ({ reply }) as never },
})

test.each([
  ['nothing was asked', {}, undefined, { is: 'else' }],
  ['the introduction', { detail: begin, ours: 5 }, 4, { is: 'begin' }],
  ['a detail', { detail, ours: 5 }, undefined, { is: 'detail' }],
  ['a detail without a button for a yes', { detail, ours: 4 }, undefined, { is: 'detail' }],
  ['a detail of another record', { detail: { ...detail, s: 'other' }, ours: 5 }, undefined, { is: 'else' }],
  ['something below a detail', { detail, ours: 6 }, undefined, { is: 'else' }],
  ['an organizer below a detail', { detail, ours: 5 }, 6, { is: 'else' }],
  ['a typed option', { said, screens, ours: 4 }, undefined, option],
  [
    'a typed option, long after its details',
    { detail: { ...detail, messageId: 2 }, said, screens },
    1,
    option,
  ],
  ['a text above a question', { said: { ...said, option: undefined }, screens }, undefined, { is: 'else' }],
  ['something below a typed option', { said, screens, ours: 6 }, undefined, { is: 'else' }],
  ['an organizer below a typed option', { said, screens }, 6, { is: 'else' }],
] as const)('asked last: %s', async (_, known, reply, asked) => {
  expect(await askedLast(chat(known as Partial<Account>, reply), 'own')).toEqual(asked)
})

test.each([
  ['profile:ok', 7],
  ['forget:no', 7],
  ['open:own', 7],
  ['remind:on', undefined],
])('whether a yes can be for %s', (data, ours) => {
  const account = newAccount(1)
  noteSent(account, 7, { text: 'سلام', keyboard: [[{ text: 'ها', callback_data: data }]] })
  expect(account).toMatchObject({ latest: 7 })
  expect(account.ours).toBe(ours)
})

test.each([
  ['بله', 'profile:ok'],
  ['ادامه', 'profile:ok'],
  ['نه', undefined],
  ['ویرایش نام', 'profile:edit:name'],
])('«%s» presses %s', (text, data) => {
  const keyboard = [
    [{ text: 'درست است', callback_data: 'profile:ok' }],
    [{ text: 'ویرایش نام', callback_data: 'profile:edit:name' }],
  ]
  expect(saidButton({ text: '', keyboard }, text)).toBe(data)
})

import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { Invitation } from '../../tools/demo/api.ts'
import { addPageApi, type PageApiDeps } from '../../tools/demo/page-api.ts'
import { createEmulator } from '../../tools/emulator/emulator.ts'
import { demo } from './demo.ts'

const known: Invitation = { title: 'نمونه', kind: 'وضعیت ۰', link: 'https://t.me/x', payload: 'record_7-7' }

/** The page's interface alone, with one invitation. */
function api(organizer?: PageApiDeps['organizer'], emulator = createEmulator()) {
  const app = fastify()
  onTestFinished(() => app.close())
  addPageApi(app, {
    emulator,
    invitations: () => [known],
    ...(organizer ? { organizer } : {}),
    sms: () => [],
    onSms: () => () => {},
  })
  const open = (payload: string) =>
    app.inject({ method: 'POST', url: '/api/invitations/open', payload: { payload } })
  const list = async () => (await app.inject('/api/invitations')).json<Invitation[]>()
  return { open, list }
}

test('an invitation waits until it is opened on the organizer’s behalf', async () => {
  const waiting = new Set(['7-7'])
  const { open, list } = api({
    isWaiting: (token) => waiting.has(token),
    open: (token) => waiting.delete(token),
  })
  expect(await list()).toEqual([{ ...known, waiting: true }])
  expect((await open('record_8')).statusCode).toBe(404)
  expect((await open(known.payload)).statusCode).toBe(204)
  expect(await list()).toEqual([known])
})

test('an invitation says who has followed it first', async () => {
  const emulator = createEmulator()
  const [later, first] = ['سارا', 'علی'].map((firstName) => emulator.person({ firstName }))
  const { list } = api(undefined, emulator)
  first?.start('record_8')
  expect(await list()).toEqual([known])
  first?.start(known.payload)
  later?.start(known.payload)
  expect(await list()).toEqual([{ ...known, openedBy: 'علی' }])
})

test('without an organizer no invitation waits, and none can be opened', async () => {
  const { open, list } = api()
  expect(await list()).toEqual([known])
  expect((await open(known.payload)).statusCode).toBe(404)
})

test('every ready invitation has a note for each language', async () => {
  const { get } = await demo()
  const invitations: Invitation[] = (await get('/invitations')).body
  for (const { title, kind, kindInEnglish } of invitations) {
    expect(kind, title).toMatch(/\p{Script=Arabic}/u)
    expect(kindInEnglish, title).toMatch(/^[A-Z\d][\x20-\x7e]+$/)
  }
})

test('a waiting invitation of the demo is opened in its service', async () => {
  const { get, post, serviceUrl, sandbox } = await demo()
  const all = async (): Promise<Invitation[]> => (await get('/invitations')).body
  const waiting = (await all()).filter((each) => each.waiting)
  expect(waiting.map(({ payload }) => payload.split('_')[0])).toEqual(['record', 'roadmap'])
  for (const { payload } of waiting) expect((await post('/invitations/open', { payload })).status).toBe(204)
  expect((await all()).some((each) => each.waiting)).toBe(false)
  for (const { payload } of waiting) {
    const response = await fetch(`${serviceUrl}/${payload.replace('_', '/')}`, {
      headers: { 'api-key': sandbox.key },
    })
    expect(await response.json()).toMatchObject({ data: { status: 2 } })
  }
})

import { readdirSync, readFileSync } from 'node:fs'
import { Api, InputFile } from 'grammy'
import { request } from 'undici'
import { expect, test } from 'vitest'
import type { ChatState, Invitation, Person } from '../../tools/demo/api.ts'
import { demo, events } from './demo.ts'

/** A demo in which the test plays the bot. */
async function withBot() {
  const made = await demo()
  const { token, app } = made.emulator
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const api = new Api(token, { apiRoot: `http://127.0.0.1:${port}` })
  const person = (await made.get('/people')).body[0] as Person
  return { ...made, api, person, at: `/people/${person.id}` }
}

test('the demo has people from the beginning, and more can be added', async () => {
  const { get, post } = await demo()
  const people: Person[] = (await get('/people')).body
  expect(people.map(({ firstName, languageCode }) => [firstName, languageCode])).toEqual([
    ['سارا', 'fa'],
    ['علی', 'fa'],
    ['Maryam', 'en'],
    ['برگزارکننده', 'fa'],
  ])
  const added = await post('/people', { firstName: 'رضا', phone: '+989123456789' })
  expect(added).toMatchObject({
    status: 201,
    body: { firstName: 'رضا', phone: '+989123456789', languageCode: 'fa', started: false, blocked: false },
  })
  expect((await get('/people')).body).toHaveLength(5)
  expect((await post('/people', { phone: 'x' })).status).toBe(400)
})

test('the page gets the state of a chat first, then every change', async () => {
  const { api, url, post, person, at } = await withBot()
  const stream = await events(`${url}/api${at}/events`)
  expect(stream.type).toContain('text/event-stream')
  expect(await stream.next()).toMatchObject({ type: 'chat', data: { person, messages: [], commands: [] } })

  expect((await post(`${at}/start`, { payload: 'record_1' })).status).toBe(204)
  expect(await stream.next()).toMatchObject({ type: 'person', data: { started: true } })
  expect(await stream.next()).toMatchObject({
    type: 'message',
    data: { from: 'person', text: '/start record_1' },
  })

  const sent = await api.sendMessage(person.id, '<b>سلام</b>', {
    parse_mode: 'HTML',
    protect_content: true,
    reply_markup: {
      inline_keyboard: [
        [
          { text: 'بله', callback_data: 'y', style: 'primary' },
          { text: 'کپی', copy_text: { text: '12' } },
        ],
      ],
    },
  })
  expect((await stream.next()).data).toMatchObject({
    id: sent.message_id,
    from: 'bot',
    entities: [{ type: 'bold', offset: 0, length: 4 }],
    inlineKeyboard: [
      [
        { text: 'بله', callbackData: 'y', style: 'primary' },
        { text: 'کپی', copyText: '12' },
      ],
    ],
    protected: true,
  })

  const tap = await post(`${at}/tap`, { messageId: sent.message_id, row: 0, column: 0 })
  await api.answerCallbackQuery(tap.body.callbackId, { text: 'ثبت شد' })
  expect(await stream.next()).toEqual({
    type: 'answer',
    data: { callbackId: tap.body.callbackId, messageId: sent.message_id, text: 'ثبت شد', showAlert: false },
  })
  expect((await post(`${at}/tap`, { messageId: sent.message_id, row: 0, column: 1 })).status).toBe(400)
  expect((await post(`${at}/tap`, { messageId: 1, row: 0, column: 0 })).status).toBe(404)

  const ask = await api.sendMessage(person.id, 'شماره؟', {
    reply_markup: { keyboard: [[{ text: 'ارسال', request_contact: true }]], resize_keyboard: true },
  })
  await stream.next()
  expect(await stream.next()).toEqual({
    type: 'keyboard',
    data: {
      replyKeyboard: {
        messageId: ask.message_id,
        rows: [[{ text: 'ارسال', requestContact: true }]],
        resize: true,
      },
    },
  })
  await post(`${at}/contact`, { messageId: ask.message_id })
  expect((await stream.next()).data).toMatchObject({
    contact: { phone: '989121234567', own: true },
    replyTo: ask.message_id,
  })
})

test('the actions of a person reach the bot', async () => {
  const { api, post, at } = await withBot()
  const said = await post(`${at}/say`, { text: 'الف' })
  expect(said.status).toBe(201)
  await post(`${at}/edit`, { messageId: said.body.messageId, text: 'ب' })
  await post(`${at}/file`, { kind: 'location' })
  await post(`${at}/contact`, { own: false, phone: '+1' })
  await post(`${at}/block`)
  expect((await post(`${at}/say`, { text: 'x' })).status).toBe(403)
  await post(`${at}/unblock`)
  const updates = await api.getUpdates()
  expect(updates.map((update) => Object.keys(update)[1])).toEqual(
    'message edited_message message message my_chat_member my_chat_member'.split(' '),
  )
  expect((await post(`${at}/say`, { text: ' ' })).status).toBe(400)
  expect((await post(`${at}/edit`, { messageId: 1, text: 'x' })).status).toBe(404)
  expect((await post('/people/1/say', { text: 'x' })).status).toBe(404)
})

test('documents open but cannot run, and only for those who have them', async () => {
  const { api, get, post, url, person, at } = await withBot()
  await post(`${at}/start`)
  const bytes = Buffer.from('<script>alert(1)</script>')
  const { document } = await api.sendDocument(person.id, new InputFile(bytes, 'گزارش.html'))
  const file = await fetch(`${url}/api${at}/files/${document.file_id}`)
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)
  expect(file.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(file.headers.get('content-security-policy')).toMatch(/^sandbox/)
  expect(file.headers.get('content-disposition')).toBe(
    `inline; filename*=UTF-8''${encodeURIComponent('گزارش.html')}`,
  )
  const download = await fetch(`${url}/api${at}/files/${document.file_id}?download`)
  expect(download.headers.get('content-disposition')).toMatch(/^attachment/)
  const other = (await get('/people')).body[1] as Person
  expect((await get(`/people/${other.id}/files/${document.file_id}`)).status).toBe(404)
})

test('a message is forwarded to another person without the bot, and the page learns who has a new message', async () => {
  const { api, get, post, url, person, at } = await withBot()
  const other = (await get('/people')).body[1] as Person
  const page = await events(`${url}/api/events`)
  await page.next()
  await post(`${at}/start`)
  const invited = await api.sendMessage(person.id, 'https://t.me/x?start=i_1', {
    reply_markup: {
      inline_keyboard: [[{ text: 'بله', callback_data: 'y' }], [{ text: 'لینک', url: 'https://t.me/x' }]],
    },
  })
  const { message_id, document } = await api.sendDocument(person.id, new InputFile(Buffer.from('x'), 'x.txt'))
  const secret = await api.sendMessage(person.id, 'پرسش', { protect_content: true })
  for (const message of [invited.message_id, message_id, secret.message_id])
    expect(await page.next()).toEqual({ type: 'newest', data: { [person.id]: message } })

  const forward = async (messageId: number, to = other.id) =>
    (await post(`${at}/forward`, { messageId, to })).status
  expect([await forward(secret.message_id), await forward(1), await forward(message_id, 1)]).toEqual([
    403, 404, 404,
  ])
  expect(await forward(invited.message_id)).toBe(204)
  expect(await forward(message_id)).toBe(204)
  expect((await post(`${at}/share`, { text: 'سلام', to: other.id })).status).toBe(204)
  const phone = await events(`${url}/api/people/${other.id}/events`)
  const { person: receiver, messages, received } = (await phone.next()).data as unknown as ChatState
  expect({ receiver, messages }).toEqual({ receiver: other, messages: [] })
  expect(received).toMatchObject([
    {
      sender: 'سارا',
      origin: 'پرسا',
      entities: [{ type: 'url' }],
      inlineKeyboard: [[{ text: 'لینک', url: 'https://t.me/x' }]],
    },
    { sender: 'سارا', origin: 'پرسا', document: { fileName: 'x.txt' } },
    { sender: 'سارا', text: 'سلام' },
  ])
  expect((await fetch(`${url}/api/people/${other.id}/files/${document.file_id}`)).status).toBe(200)
  for (const { id } of received ?? []) {
    expect(await page.next()).toEqual({ type: 'newest', data: { [other.id]: id } })
    await post(`/people/${other.id}/dismiss`, { messageId: id })
  }
  for (const left of [2, 1, 0]) expect((await phone.next()).data).toHaveLength(left)
  expect(await api.getUpdates()).toHaveLength(1) // START and nothing else
})

test('invitations of every kind are ready, and SMS codes come to the phone', async () => {
  const { get, url, sandbox, emulator } = await demo()
  const invitations = (await get('/invitations')).body
  expect(invitations.length).toBeGreaterThanOrEqual(8)
  for (const { title, kind, link, payload } of invitations) {
    expect(title && kind).toBeTruthy()
    expect(link).toBe(`https://t.me/${emulator.username}?start=${payload}`)
    expect(payload).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  }
  const stream = await events(`${url}/api/events`)
  expect(await stream.next()).toEqual({ type: 'all', data: { sms: [], newest: {} } })
  const token = sandbox.addRecord({ testId: sandbox.tests[0]?.id ?? '' })
  const auth = { name: 'سارا محمدی', birth: '1990-01-01', mobile: '09121234567', is_male: false }
  const address = sandbox.app.server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { statusCode } = await request(`http://127.0.0.1:${port}/v2/record/${token}/auth/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': sandbox.key },
    body: JSON.stringify(auth),
  })
  expect(statusCode).toBe(200)
  expect(await stream.next()).toMatchObject({
    type: 'sms',
    data: { mobile: '09121234567', code: expect.stringMatching(/^\d+$/) },
  })
  expect((await get('/sms')).body).toHaveLength(1)
})

test('a waiting invitation is opened at the service', async () => {
  const { get, post, serviceUrl, sandbox } = await demo()
  const waiting = async () =>
    ((await get('/invitations')).body as Invitation[]).filter((invitation) => invitation.waiting)
  const [first, ...others] = await waiting()
  const payload = first?.payload ?? ''
  expect((await post('/invitations/open', { payload })).status).toBe(204)
  expect(await waiting()).toEqual(others)
  const answer = await fetch(`${serviceUrl}/${payload.replace('_', '/')}`, {
    headers: { 'api-key': sandbox.key },
  })
  expect(await answer.json()).toMatchObject({ data: { status: 2 } })
})

test('the page’s own files are served, and no others', async () => {
  const { url } = await demo()
  const page = await fetch(`${url}/`)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).toContain('<script type="module" src="main.js">')
  expect((await fetch(`${url}/main.js`)).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect((await fetch(`${url}/fonts/Vazirmatn-Regular.woff2`)).status).toBe(200)
  for (const path of [
    '/..%2fserver.ts',
    '/../../package.json',
    '/%2e%2e/main.ts',
    '/style/..%2f..%2fmain.ts',
    '/tsconfig.json',
  ]) {
    expect((await request(`${url}${path}`)).statusCode).toBe(404)
  }
})

test('the page’s style contains every style sheet', async () => {
  const { url } = await demo()
  const response = await fetch(`${url}/style.css`)
  expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
  const style = await response.text()
  const folder = new URL('../../tools/demo/page/style/', import.meta.url)
  const sheets = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  expect(sheets.length).toBeGreaterThan(5)
  for (const sheet of sheets) expect(style).toContain(sheet)
})

test('a foreign Host or Origin is refused everywhere', async () => {
  const { url } = await demo()
  const { port } = new URL(url)
  const status = async (headers: Record<string, string>, path = '/api/people') =>
    (await request(`${url}${path}`, { headers })).statusCode
  expect(await status({ host: 'evil.example' })).toBe(403)
  expect(await status({ host: `evil.example:${port}` }, '/')).toBe(403)
  expect(await status({ host: '127.0.0.1:1' })).toBe(403)
  expect(await status({ origin: 'https://evil.example' })).toBe(403)
  expect(await status({ origin: 'null' })).toBe(403)
  expect(await status({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200)
})

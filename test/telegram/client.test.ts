import { connect, createServer, type Socket } from 'node:net'
import { type Api, GrammyError, InputFile } from 'grammy'
import type { Dispatcher } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDownload, createTelegramClient } from '../../src/telegram/client.ts'
import { isUnclear, isUnreachable, pauseMsOf } from '../../src/telegram/errors.ts'
import type { TelegramCall } from '../../src/telegram/retry.ts'
import { createPost } from '../../src/telegram/transport.ts'
import { type Scripted, startFakeTelegram } from './fake-telegram.ts'

/** A client in virtual time, so that waiting costs no time and can be read. */
function clientOf(apiRoot: string, proxyUrl?: string) {
  let time = 1_000_000
  const waits: number[] = []
  const calls: TelegramCall[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
    time += ms
  }
  const onCall = (call: TelegramCall) => calls.push(call)
  const api = createTelegramClient({ token: '1:t', apiRoot, proxyUrl, now: () => time, onCall, sleep })
  return { api, waits, outcomes: () => calls.map(({ outcome }) => outcome) }
}

async function participant(...script: Scripted[]) {
  const telegram = await startFakeTelegram(...script)
  return { telegram, ...clientOf(telegram.apiRoot) }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a call is sent as JSON and returns its result', async () => {
  const { telegram, api, outcomes } = await participant({ result: { message_id: 7 } })
  await expect(api.sendMessage(5, 'سلام')).resolves.toEqual({ message_id: 7 })
  expect(telegram.received[0]?.headers['content-type']).toBe('application/json')
  expect(JSON.parse(Buffer.from(telegram.received[0]?.body ?? '', 'latin1').toString())).toEqual({
    chat_id: 5,
    text: 'سلام',
  })
  expect(outcomes()).toEqual(['ok'])
})

test('a rate-limited call is repeated when Telegram allows it, a file with all its bytes', async () => {
  const { telegram, api, waits, outcomes } = await participant({ error: 429, retryAfter: 7 })
  await api.sendDocument(5, new InputFile(Buffer.from('<html>all</html>'), 'report.html'))
  expect(waits).toEqual([7000])
  expect(outcomes()).toEqual(['rate_limited', 'ok'])
  expect(telegram.received).toHaveLength(2)
  // grammY gives the parts random names; everything else is the same.
  const [first, second] = telegram.received.map(({ headers, body }) => {
    const [, boundary = 'none'] = /boundary=(\S+)/.exec(headers['content-type'] ?? '') ?? []
    const [, part = 'none'] = /attach:\/\/(\w+)/.exec(body) ?? []
    return body.replaceAll(boundary, 'boundary').replaceAll(part, 'part')
  })
  expect(second).toBe(first)
  expect(telegram.received[1]?.body).toContain('<html>all</html>')
  expect(telegram.received[1]?.headers['content-length']).toBeDefined()
})

test('a pause longer than a minute is left to the caller, and the next call is not sent', async () => {
  const { telegram, api, waits } = await participant({ error: 429, retryAfter: 120 })
  expect(pauseMsOf(await failure(api.sendMessage(5, 'x')))).toBe(120_000)
  expect(pauseMsOf(await failure(api.sendMessage(5, 'x')))).toBe(120_000)
  expect(telegram.received).toHaveLength(1)
  expect(waits).toEqual([])
})

test('one chat’s pause does not delay another chat', async () => {
  const { api, waits } = await participant({ error: 429, retryAfter: 120 })
  await failure(api.sendMessage(5, 'x'))
  await api.sendMessage(6, 'x')
  expect(waits).toEqual([])
})

const refusals = (count: number) => Array.from({ length: count }, () => ({ error: 429, retryAfter: 90 }))

test('many chats refused at once do not delay the others', async () => {
  const { telegram, api, waits } = await participant(...refusals(6))
  for (const chat of [1, 2, 3, 4, 5, 6]) await failure(api.sendMessage(chat, 'x'))
  await api.sendMessage(7, 'x')
  expect(waits).toEqual([])
  expect(telegram.received).toHaveLength(7)
})

test('refused groups delay only themselves', async () => {
  const { api, waits } = await participant(...refusals(6))
  for (const chat of [-1, -2, -3, -4, -5, -6]) await failure(api.sendMessage(chat, 'x'))
  await api.sendMessage(7, 'x')
  expect(waits).toEqual([])
})

test('a pause of no length counts as a pause, and does not repeat for ever', async () => {
  const { telegram, api, waits } = await participant(
    ...Array.from({ length: 80 }, () => ({ error: 429, retryAfter: 0 })),
  )
  expect(pauseMsOf(await failure(api.sendMessage(5, 'x')))).toBe(1_000)
  expect(waits).toEqual(Array.from({ length: 60 }, () => 1000))
  expect(telegram.received).toHaveLength(61)
})

test('the total wait for one call has a limit', async () => {
  const { telegram, api, waits } = await participant(
    ...Array.from({ length: 9 }, () => ({ error: 429, retryAfter: 25 })),
  )
  expect(pauseMsOf(await failure(api.sendMessage(5, 'x')))).toBe(25_000)
  expect(waits).toEqual([25_000, 25_000])
  expect(telegram.received).toHaveLength(3)
})

test.each<[string, Scripted]>([
  ['a lost answer', 'cut'],
  ['an error of the server', { error: 502, description: 'Bad Gateway' }],
  ['a page of a gateway', { page: '<h1>502</h1>', status: 502 }],
])('after %s an edit is repeated, a message is not', async (_name, fault) => {
  const edited = await participant(fault, fault)
  await edited.api.editMessageText(5, 1, 'x')
  expect(edited.telegram.received).toHaveLength(3)
  expect(edited.outcomes()).toEqual(['unclear', 'unclear', 'ok'])

  const said = await participant(fault)
  const error = await failure(said.api.sendMessage(5, 'x'))
  expect(isUnclear(error)).toBe(true)
  expect(said.telegram.received).toHaveLength(1)
})

test('an idempotent call is given up after three attempts', async () => {
  const { telegram, api, waits } = await participant('cut', 'cut', 'cut', 'cut')
  expect(isUnclear(await failure(api.answerCallbackQuery('1')))).toBe(true)
  expect(telegram.received).toHaveLength(3)
  expect(waits).toEqual([500, 2000])
})

test('a message that certainly did not arrive is sent again, and its failure is unambiguous', async () => {
  const { api, waits, outcomes } = clientOf('http://127.0.0.1:1')
  const error = await failure(api.sendMessage(5, 'x'))
  expect([isUnreachable(error), isUnclear(error)]).toEqual([true, false])
  expect(outcomes()).toEqual(['unreachable', 'unreachable', 'unreachable'])
  expect(waits).toEqual([500, 2000])
})

test('a refusal is not repeated', async () => {
  const { telegram, api, outcomes } = await participant(
    { error: 400, description: 'Bad Request: message is not modified: specified new …' },
    { error: 403, description: 'Forbidden: bot was blocked by the user' },
  )
  await failure(api.editMessageText(5, 1, 'x'))
  await failure(api.sendMessage(5, 'x'))
  expect(telegram.received).toHaveLength(2)
  expect(outcomes()).toEqual(['refused', 'blocked'])
})

test('a refusal without a description counts, also after an unclear attempt', async () => {
  const { api } = await participant('cut', { page: '{"ok":false,"error_code":400}', status: 400 })
  expect(await failure(api.editMessageText(5, 1, 'x'))).toBeInstanceOf(GrammyError)
})

test('an answer that trickles in is cut off', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const dispatch: Dispatcher['dispatch'] = (_, handler) => {
    const abort = (reason: Error) => handler.onResponseError?.(controller, reason)
    const controller = { abort } as Dispatcher.DispatchController
    handler.onResponseStart?.(controller, 200, {})
    for (const piece of ['{"ok"', ':', 'true}']) {
      handler.onResponseData?.(controller, Buffer.from(piece))
      vi.advanceTimersByTime(15_001)
    }
    handler.onResponseEnd?.(controller, {})
    return true
  }
  const call = { origin: 'http://telegram', path: '/', body: '', signal: undefined }
  const post = createPost({ dispatch } as Dispatcher)
  await expect(post({ ...call, limitMs: 15_001 })).resolves.toEqual({ ok: true })
  await expect(post({ ...call, limitMs: 15_000 })).rejects.toThrow('nobody waits')
})

test.each([
  [404, undefined],
  [502, new Error('a file could not be fetched from Telegram')],
])('a file that is answered with %i is gone, or is fetched again', async (status, end) => {
  const { apiRoot } = await startFakeTelegram({ page: '<h1>No</h1>', status })
  const api = { getFile: async () => ({ file_path: 'documents/1.csv' }) } as unknown as Api
  expect(await failure(createDownload({ api, token: '1:t', apiRoot })('file', 100))).toEqual(end)
})

test('a long poll is not repeated, and an abort ends it at once', async () => {
  const { telegram, api, outcomes } = await participant('cut', 'hang')
  await failure(api.getUpdates())
  const controller = new AbortController()
  const polling = failure(api.getUpdates({}, controller.signal as never))
  await expect.poll(() => telegram.received.length).toBe(2)
  controller.abort()
  expect(await polling).toBeDefined()
  expect(outcomes()).toEqual(['unclear'])
})

test('a stop ends the wait between two attempts', async () => {
  const telegram = await startFakeTelegram({ error: 429, retryAfter: 50 })
  const controller = new AbortController()
  const api = createTelegramClient({
    token: '1:t',
    apiRoot: telegram.apiRoot,
    now: Date.now,
    // By then the client waits.
    onCall: () => setImmediate(() => controller.abort()),
  })
  expect(await failure(api.getMe(controller.signal as never))).toBeDefined()
  expect(telegram.received).toHaveLength(1)
})

test('no failure shows the token', async () => {
  const { api } = await participant({ page: 'gone', status: 500 })
  expect(String(await failure(api.sendMessage(5, 'x')))).not.toContain('1:t')
})

/** Forwards bytes after the proxy's greeting, and records the tunnels. */
async function startProxy(greet: (socket: Socket, opened: (host: string, port: number) => Socket) => void) {
  const targets: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    greet(socket, (host, port) => {
      targets.push(`${host}:${port}`)
      const target = connect(port, host).on('error', () => {})
      sockets.push(target)
      return target
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { targets, port: (server.address() as { port: number }).port }
}

test('the calls go through an HTTP proxy', async () => {
  const telegram = await startFakeTelegram()
  const proxy = await startProxy((socket, open) =>
    socket.once('data', (head) => {
      const [, origin = 'http://none', path = ''] =
        /^POST (http:\/\/[^/]+)(\S+)/.exec(head.toString('latin1')) ?? []
      const target = open(new URL(origin).hostname, Number(new URL(origin).port))
      target.write(head.toString('latin1').replace(origin + path, path), 'latin1')
      socket.pipe(target).pipe(socket)
    }),
  )
  await clientOf(telegram.apiRoot, `http://127.0.0.1:${proxy.port}`).api.sendMessage(5, 'x')
  expect(proxy.targets).toEqual([`127.0.0.1:${telegram.port}`])
  expect(telegram.methods()).toEqual(['sendMessage'])

  const { telegram: other, api } = await participant()
  await api.sendMessage(5, 'x')
  expect(other.received[0]?.headers.host).toBe(`127.0.0.1:${other.port}`)
})

test('an encrypted call is tunnelled through an HTTP proxy, which never sees its path', async () => {
  const heads: string[] = []
  const proxy = await startProxy((socket) =>
    socket.once('data', (head) => {
      heads.push(head.toString('latin1'))
      socket.end('HTTP/1.1 502 No\r\n\r\n')
    }),
  )
  const { api } = clientOf('https://api.telegram.example', `http://127.0.0.1:${proxy.port}`)
  expect(isUnreachable(await failure(api.sendMessage(5, 'x')))).toBe(true)
  expect(heads[0]).toMatch(/^CONNECT api\.telegram\.example:443 /)
  expect(heads.join()).not.toContain('1:t')
})

test('the calls go through a SOCKS5 proxy', async () => {
  const telegram = await startFakeTelegram()
  const proxy = await startProxy((socket, open) =>
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (ask) => {
        // The requests here have only an IPv4 address: version, command, reserved, kind 1, four bytes, port.
        const target = open(ask.subarray(4, 8).join('.'), ask.readUInt16BE(8))
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        socket.pipe(target).pipe(socket)
      })
    }),
  )
  await clientOf(telegram.apiRoot, `socks5://127.0.0.1:${proxy.port}`).api.sendMessage(5, 'x')
  expect(proxy.targets).toEqual([`127.0.0.1:${telegram.port}`])
  expect(telegram.methods()).toEqual(['sendMessage'])
})

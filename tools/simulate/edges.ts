import type { Emulator } from '../emulator/emulator.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { type Aims, stepOfCall, stepOfPart } from './aims.ts'
import type { Ask } from './ask.ts'
import type { Carry, HttpAnswer, HttpRequest } from './carry.ts'
import type { Chance } from './chance.ts'
import type { Machines } from './machines.ts'
import type { OthersModel } from './model-others.ts'
import type { Moments } from './moments.ts'
import { failure } from './network.ts'
import { optionsOf } from './promises.ts'
import type { SecondWriter } from './second-writer.ts'
import { HOSTS } from './settings.ts'
import type { Host, Time } from './time.ts'
import { partOf, type Watch } from './watch.ts'

/** Calls of a bot that nothing here checks. */
const INTRODUCTION = /^(setMy|sendChatAction)/
const SHOWING = /^(sendMessage|editMessageText)$/
/** A call to Telegram arrives within this time after the death of its process, or never. */
const OUTLIVES_MS = 1_000
const SUBMISSION = /^\/v2\/record\/[0-9a-f-]{36}\/$/
/** The share of refusals after which the organizer's software is away for a while. */
const AWAY = 0.2
const AWAY_MS = [20_000, 240_000] as const
const DONE: HttpAnswer = { status: 200, body: '{"ok":true,"result":true}' }

/** The connections between the bot, the emulated Telegram and the sandbox, without sockets. */
export function createEdges({
  time,
  chance,
  ask,
  watch,
  emulator,
  sandbox,
  writer,
  others,
  aims,
  moments,
  machines,
  ownerOf,
  updates,
}: {
  time: Time
  chance: Chance
  ask: Ask
  watch: Watch
  emulator: Emulator
  sandbox: Sandbox
  writer: SecondWriter
  others: OthersModel
  aims: Pick<Aims, 'reads'>
  moments: Pick<Moments, 'comes'>
  machines: () => Machines | undefined
  /** The chat of the person that a path of the service is about. */
  ownerOf: (path: string) => string | undefined
  /** A replica receives this many updates; the returned function is called when they are confirmed. */
  updates: (host: Host, many: number) => () => void
}): Carry {
  /** The newest updates that each polling replica has received: a poll for later ones confirms them. */
  const brought = new Map<Host, { last: number; confirmed: () => void }>()
  let awayUntil = 0
  const lost = (isDone: boolean) => failure(isDone ? 'UND_ERR_SOCKET' : 'ECONNREFUSED')

  function asksFrom(host: Host, offset: number): void {
    const { last = Infinity, confirmed } = brought.get(host) ?? {}
    if (offset <= last) return
    confirmed?.()
    brought.delete(host)
  }

  function takeUpdates(host: Host, reply: string): void {
    watch.hands(reply)
    const { result = [] } = JSON.parse(reply)
    if (result.length === 0) return
    brought.set(host, { last: result.at(-1).update_id, confirmed: updates(host, result.length) })
  }

  function toTelegram({ path, headers, body, signal, onWritten }: HttpRequest): Promise<HttpAnswer> {
    const host = time.current
    const method = path.slice(path.lastIndexOf('/') + 1)
    const text = body.toString()
    const sentAt = time.elapsed()
    const part = partOf(method, text)
    if (part) watch.sends(part, host)
    if (method === 'getUpdates') asksFrom(host, JSON.parse(text).offset)
    const lastsMs = part ? moments.comes(['part'], part.split(' ')[1] ?? '') : 0
    return ask(host, {
      lastsMs,
      asked: 'telegram',
      what: `${method}${part ? ' of a result' : ''} ${chatIn(text)}`,
      detail: text,
      step: part ? stepOfPart(method) : undefined,
      async act(): Promise<HttpAnswer> {
        if (INTRODUCTION.test(method)) return DONE
        if (time.elapsed() - (host.diedAt ?? Number.POSITIVE_INFINITY) > OUTLIVES_MS) throw lost(false)
        // The bot can abort the call only from now on.
        onWritten?.()
        if (signal.aborted) throw lost(false)
        if (method === 'sendMessage') watch.said(...saying(text), host, sentAt)
        if (SHOWING.test(method)) {
          watch.answers.shows(text)
          watch.answers.says(...saying(text))
          others.says(...saying(text))
          watch.invitations.shows(saying(text)[0], text)
          aims.reads(text)
        }
        const contentType = headers['content-type'] ?? ''
        const answer = await emulator.call(method, { contentType, body: Buffer.from(body), signal })
        if (SHOWING.test(method) && answer.status === 200) watch.holders.shows(text, host)
        return answer
      },
      failure: lost,
      refusal: () => chance.pick(TELEGRAM_REFUSALS),
      onAnswer({ status, body: reply }) {
        // The answer to an aborted poll reaches no caller; counting it would hide the updates of the next poll.
        if (method === 'getUpdates' && !signal.aborted) takeUpdates(host, reply.toString())
        if (part && status === 200 && !signal.aborted) watch.confirmed(part, host)
        if (method === 'sendMessage' && status === 200 && !signal.aborted)
          watch.told.confirmed(...saying(text), host)
        if (!part || status !== 200) return
        const chat = part.split(' ')[1] ?? ''
        others.brings(chat, part)
        watch.owed.brings(chat, part)
      },
    })
  }

  function toService({ path, method, headers, body, signal, onWritten }: HttpRequest): Promise<HttpAnswer> {
    const host = time.current
    watch.calls(host, method, path, ownerOf)
    const isSubmission = method === 'POST' && SUBMISSION.test(path)
    const hears = isSubmission ? others.sends(path.split('/')[3] ?? '', host) : undefined
    const send = { method, url: path, headers, body }
    const isKnown = others.isKnown(path)
    const isAuth = stepOfCall(method, path) === 'auth' || stepOfCall(method, path) === 'verify'
    const isOver = isAuth ? watch.profiles(ownerOf(path) ?? '', host) : () => undefined
    return ask<HttpAnswer>(host, {
      lastsMs: moments.comes(isAuth ? ['auth', 'call'] : ['call'], path),
      asked: 'service',
      what: `${method} ${path.replace(/[0-9a-f-]{36}/, '…')}`,
      detail: body.toString(),
      step: stepOfCall(method, path),
      async act(): Promise<HttpAnswer> {
        // The connection is closed before the service has the call. A call that arrived in time is carried out late.
        if (signal.aborted) throw lost(false)
        onWritten?.()
        if (path.endsWith('/questions/')) watch.answers.fetches(path.split('/')[3] ?? '')
        await writer.precedes(method, path)
        const { status, body: payload } = await sandbox.call(send)
        others.called({ method, path, body: body.toString(), status, payload, isKnown })
        if (isSubmission && status === 200) {
          const token = path.split('/')[3] ?? ''
          const { record, doing_duration_in_minutes: minutes } = JSON.parse(body.toString())
          watch.answers.submitted(token, optionsOf(record), minutes)
          watch.told.submitted(token)
        }
        if (status === 429) watch.refuses(`${method} ${path}`)
        return { status, body: payload }
      },
      failure: lost,
      refusal: () => chance.pick(SERVICE_REFUSALS),
      onAnswer({ status, body: reply }) {
        const decides = status < 500 && reply.toString().startsWith('{')
        if (decides && !signal.aborted) hears?.()
      },
    }).finally(isOver)
  }

  /** The organizer's own software, which accepts events; at times it is away for minutes. */
  function toOffice({ headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
    const event = body.toString()
    watch.told.announces(event, headers, time.current)
    return ask(time.current, {
      asked: 'office',
      what: 'event',
      detail: event,
      step: 'event',
      async act(): Promise<HttpAnswer> {
        if (time.elapsed() < awayUntil) throw lost(false)
        watch.told.announced(event)
        return { status: 204, body: '' }
      },
      failure: lost,
      refusal() {
        if (chance.is(AWAY)) awayUntil = time.elapsed() + chance.between(...AWAY_MS)
        return chance.pick(OFFICE_REFUSALS)
      },
      onAnswer: () => signal.aborted || watch.told.hearsTaken(event),
    })
  }

  return async (request) => {
    if (request.host === HOSTS.office) return toOffice(request)
    if (request.host === HOSTS.telegram) return toTelegram(request)
    if (request.host === HOSTS.service) return toService(request)
    watch.hands(request.body.toString())
    return machines()?.take(request) ?? Promise.reject(lost(false))
  }
}

/** For the trace: the last digits of the chat. */
const chatIn = (body: string): string => {
  const chat = /"chat_id":(\d+)|name="chat_id"\r\n\r\n(\d+)/.exec(body)
  return chat ? `to ${(chat[1] ?? chat[2] ?? '').slice(-3)}` : ''
}

/** The chat and the text of a message. */
function saying(body: string): [chat: string, text: string] {
  const { chat_id: chat, text } = JSON.parse(body)
  return [String(chat), String(text)]
}

const flood = (seconds: number) => ({
  status: 429,
  body: JSON.stringify({
    ok: false,
    error_code: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  }),
})

const TELEGRAM_REFUSALS: HttpAnswer[] = [
  flood(1),
  flood(7),
  { status: 502, body: '<html>Bad Gateway</html>' },
  { status: 500, body: '{"ok":false,"error_code":500,"description":"Internal Server Error"}' },
]

const refused = (word: string) => JSON.stringify({ successful: false, messages: [word], data: null })

const SERVICE_REFUSALS: HttpAnswer[] = [
  { status: 500, body: refused('Internal error.') },
  { status: 503, body: '<html>nginx</html>' },
  { status: 200, body: '<html>not what was asked for</html>' },
  { status: 429, headers: { 'retry-after': '3' }, body: refused('Rate limit exceeded.') },
]

/** Answers that are not 2xx. */
const OFFICE_REFUSALS: HttpAnswer[] = [
  { status: 500, body: '' },
  { status: 503, body: '<html>nginx</html>' },
  { status: 429, headers: { 'retry-after': '30' }, body: '' },
  { status: 404, body: '' },
  { status: 302, headers: { location: '/' }, body: '' },
]

import { type Blobs, memoryBlobs } from './blobs.ts'
import { createCallbacks } from './callbacks.ts'
import type { CallbackAnswer, ChatEvent, ChatState } from './chat.ts'
import { createChatInput } from './chat-input.ts'
import { chatState } from './chat-view.ts'
import { type Call, createDispatch } from './dispatch.ts'
import { createFaults, type Fault, type FaultHandle } from './faults.ts'
import { createFileShelf } from './file-shelf.ts'
import { answerTo, type BotApi, createBotApi } from './http.ts'
import { botMethods, profileMethods } from './methods/bot.ts'
import { commandMethods } from './methods/commands.ts'
import { editMethods } from './methods/edit.ts'
import { albumMethods } from './methods/media.ts'
import { sendMethods } from './methods/send.ts'
import { updateMethods } from './methods/updates.ts'
import type { MethodTable } from './parts.ts'
import { createPeople, type PersonOptions } from './people.ts'
import { createPersonDriver, type PersonDriver } from './person.ts'
import { createPolling } from './polling.ts'
import { createPrivateMail } from './private-mail.ts'
import { type SettleOptions, settle } from './settle.ts'
import { type EmulatorState, newState } from './state.ts'
import { createUpdateQueue } from './update-queue.ts'
import { createWebhook } from './webhook.ts'
import { createWorld, findPerson } from './world.ts'

export type { CallbackAnswer } from './chat.ts'
export type { Call } from './dispatch.ts'
export type { Fault, FaultHandle } from './faults.ts'
export type { MessageOptions, PersonOptions } from './people.ts'
export type { Contact, MessageRef, PersonDriver } from './person.ts'
export type { SettleOptions } from './settle.ts'
export type { EmulatorState } from './state.ts'
export type { WireMessage, WireUpdate } from './wire.ts'

export type EmulatorOptions = {
  token?: string
  username?: string
  name?: string
  /** Milliseconds since 1970, for dates and lifetimes. Long polls and back-offs always wait in real time. */
  now?: () => number
  /** The `snapshot()` of an earlier emulator. */
  snapshot?: EmulatorState | undefined
  /** Called when the state has changed; `snapshot()` returns the new one. */
  onChange?: () => void
  /** Storage for the bytes of files; the default is in memory. */
  blobs?: Blobs
  /** How long a tap can be answered; 15 s in Telegram. */
  callbackLifeMs?: number
  /** Telegram's pause of 3 s at repeated polls of one offset and repeated conflicts; 0 to restart bots. */
  spinGuardMs?: number
  /** The pause before the second repeat to a failing webhook; 2 s in Telegram. */
  webhookBackOffMs?: number
  /** 60 s in Telegram. */
  webhookTimeoutMs?: number
  /** Defaults of every `settled()`. */
  settle?: SettleOptions
}

export type Emulator = {
  app: BotApi
  /** Serves the Bot API on 127.0.0.1; returns the API root. */
  listen(port?: number): Promise<string>
  close(): Promise<void>
  readonly token: string
  readonly username: string
  /** A new person, or the driver of the person with this `id`. */
  person(options?: PersonOptions & { id?: number }): PersonDriver
  /** Drivers of all people, in the order they were added. */
  people(): PersonDriver[]
  /** Carries out a call of the Bot API without a connection. */
  call(
    method: string,
    request: { contentType: string; body: Buffer; signal: AbortSignal },
  ): Promise<{ status: number; body: string }>
  /** Calls of the bot so far, without `getUpdates`. */
  readonly calls: readonly Call[]
  /** Whether a getUpdates call is waiting for updates. */
  readonly isPolled: boolean
  fault(fault: Fault): FaultHandle
  settled(options?: SettleOptions): Promise<void>
  transcript(): string
  snapshot(): EmulatorState
  /** The state of one chat as the page shows it. */
  chat(personId: number): ChatState | undefined
  watch(personId: number, listener: (event: ChatEvent) => void): () => void
  watchAll(listener: (personId: number, event: ChatEvent) => void): () => void
  file(fileId: string): { bytes: Buffer; fileName: string; mimeType: string } | undefined
}

/** An emulated Telegram: one bot over the real HTTP Bot API, any number of people, every limit enforced. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const parts = createParts(options)
  const { app, state, world, queue, files, people, faults, dispatch, webhook, polling } = parts
  const { driver, everyone } = createDrivers(parts)
  const transcripts = () => everyone().map((person) => person.transcript())
  const transcript = () => transcripts().join('\n\n')

  return {
    app,
    async listen(port = 0) {
      const address = await app.listen(port)
      webhook.pump()
      return address
    },
    async close() {
      webhook.close()
      polling.cut()
      await app.close()
    },
    token: state.token,
    username: state.bot.username,
    person: ({ id, ...fresh } = {}) => driver(id ?? people.add(fresh).id, fresh),
    people: everyone,
    call: (method, { signal, ...sent }) =>
      answerTo(
        { dispatch, isDown: faults.isDown },
        { method, signal, raw: { query: new URLSearchParams(), ...sent } },
      ),
    calls: dispatch.calls,
    get isPolled() {
      return polling.isWaiting
    },
    fault: (fault) => faults.add(fault),
    settled(wished = {}) {
      const waiting = () => queue.pending().length
      const isResting = () => waiting() === 0 && dispatch.running === 0
      const explain = () => `${waiting()} updates wait, ${dispatch.running} calls run\n${transcript()}`
      return settle(
        { activity: () => world.activity, isResting, onStir: world.onStir, explain },
        { ...options.settle, ...wished },
      )
    },
    transcript,
    snapshot: () => structuredClone(state),
    chat(personId) {
      const person = findPerson(world, personId)
      return person && chatState(world, person)
    },
    watch: world.watch,
    watchAll: world.watchAll,
    file(fileId) {
      const file = files.byId(fileId)
      const bytes = file && files.bytes(file)
      return file && bytes ? { bytes, fileName: file.fileName, mimeType: file.mimeType } : undefined
    },
  }
}

type Parts = ReturnType<typeof createParts>

function createParts(options: EmulatorOptions) {
  const { now = Date.now, onChange, blobs = memoryBlobs() } = options
  const { callbackLifeMs: lifeMs = 15_000, spinGuardMs = 3000 } = options
  const { webhookBackOffMs: backOffMs = 2000, webhookTimeoutMs: timeoutMs = 60_000 } = options
  const state = options.snapshot ? structuredClone(options.snapshot) : newState(options)
  const answers = new Map<number, CallbackAnswer[]>()
  const answersOf = (id: number) => answers.get(id) ?? []

  const world = createWorld({ state, now, onChange })
  const faults = createFaults()
  const queue = createUpdateQueue(world)
  const files = createFileShelf(world, blobs)
  const input = createChatInput(world)
  const people = createPeople({ world, queue, files, input })
  const mail = createPrivateMail(world)
  const onAnswer = (id: number, answer: CallbackAnswer) =>
    answers.set(id, [...answersOf(id), answer].slice(-1000))
  const callbacks = createCallbacks({ world, queue, lifeMs, onAnswer })

  async function execute(method: string, body: Buffer): Promise<void> {
    const raw = { query: new URLSearchParams(), contentType: 'application/json', body }
    await dispatch.call({ method, raw, signal: new AbortController().signal }).catch(() => undefined)
  }
  const webhook = createWebhook({ world, queue, faults, backOffMs, timeoutMs, execute })
  const polling = createPolling({ world, queue, faults, spinGuardMs })
  const parts = { world, queue, files, callbacks, input }
  const methods: MethodTable = {
    ...botMethods(parts),
    ...profileMethods(parts),
    ...commandMethods(parts),
    ...sendMethods(parts),
    ...albumMethods(parts),
    ...editMethods(parts),
    ...updateMethods(parts, { polling, webhook, spinGuardMs }),
  }
  const dispatch = createDispatch({ world, methods, faults })
  const app = createBotApi({ token: state.token, dispatch, files, isDown: faults.isDown })
  return { ...parts, state, people, mail, answersOf, faults, webhook, polling, dispatch, app }
}

/** Makes one driver for each person. */
function createDrivers({ world, state, people, mail, callbacks, answersOf }: Parts) {
  const drivers = new Map<number, PersonDriver>()

  function driver(id: number, fresh: PersonOptions = {}): PersonDriver {
    const known = drivers.get(id)
    if (known) return known
    const person = findPerson(world, id) ?? people.add(fresh, id)
    const made = createPersonDriver(person, { world, people, mail, callbacks, toasts: answersOf })
    drivers.set(id, made)
    return made
  }

  return { driver, everyone: () => state.people.map(({ id }) => driver(id)) }
}

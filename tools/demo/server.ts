import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { lockFolder } from '../../src/storage/sqlite-database.ts'
import { directoryBlobs } from '../emulator/blobs.ts'
import { createEmulator, type Emulator } from '../emulator/emulator.ts'
import { guardLoopback } from '../emulator/loopback-guard.ts'
import { emulatorStateSchema } from '../emulator/state-schema.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import { stateSchema } from '../sandbox/state.ts'
import type { Invitation, Sms } from './api.ts'
import { addAssets } from './assets.ts'
import { botEnvironment } from './bot-environment.ts'
import { type BotExit, type BotProcess, startBotProcess } from './bot-process.ts'
import { plantClinic } from './clinic.ts'
import { createJsonFile } from './json-file.ts'
import { addPageApi } from './page-api.ts'
import type { DemoSettings } from './settings.ts'

export type DemoOptions = DemoSettings & {
  /** The bot's compiled entry; if absent, no bot runs. */
  botEntry?: URL
  onBotExit?: (exit: BotExit) => void
  /** A new demo begins with a clinic that has worked for weeks. */
  isLivedIn?: boolean
  /** Called with the code of the system's error when a file cannot be written; the write is repeated. */
  onWriteFailure?: (code: string) => void
}

export type Demo = {
  /** Address of the chat page. */
  url: string
  /** Base address of the sandbox. */
  serviceUrl: string
  invitations: Invitation[]
  /** The person who is the organizer. */
  organizerId: number
  emulator: Emulator
  sandbox: Sandbox
  bot: BotProcess | undefined
  /** Ends everything and writes unsaved state. */
  close(): Promise<void>
}

/** The sandbox's key is stored with its state, because the bot's state is bound to the key. */
const keptService = z.object({ key: z.string(), snapshot: stateSchema })

/** All files that a demo leaves in its folder, including those of the bot. */
const KEPT = { telegram: 'telegram.json', service: 'service.json', files: 'files', bot: 'bot' }

/**
 * Starts the sandbox, the emulated Telegram, the chat page and the bot, and continues the last demo of this
 * folder. Rejects before any change if another demo uses the folder or the page's port is taken.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const unlock = await lock(options.dataDir)
  try {
    return await openDemo(options, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/** Locks the folder for the life of this process. */
async function lock(dataDir: string): Promise<() => void> {
  try {
    mkdirSync(dataDir, { recursive: true })
    return await lockFolder(dataDir)
  } catch (cause) {
    throw new Error(`the folder ${dataDir}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

async function openDemo(options: DemoOptions, unlock: () => void): Promise<Demo> {
  const { host, port, dataDir, fresh, logLevel, botEntry, onBotExit } = options
  const worlds = openWorlds(options)
  const { emulator, sandbox } = worlds
  const invitations: Invitation[] = []
  const page = createPage()
  addPageApi(page, {
    emulator,
    invitations: () => invitations,
    organizer: {
      isWaiting: sandbox.isWaiting,
      open: (token) => void sandbox.update(token, { status: 2 }),
    },
    sms: () => sandbox.sms().map(publicSms),
    onSms: worlds.onSms,
  })
  addAssets(page)
  const url = await page.listen({ host, port })

  if (fresh) empty(dataDir)
  invitations.push(...seededInvitations(worlds))
  const isNew = emulator.people().length === 0
  if (isNew) settlePeople(emulator)
  const organizerId = organizerIn(emulator)
  const telegramUrl = await emulator.listen()
  const serviceUrl = await sandbox.listen()
  const env = botEnvironment({
    botToken: emulator.token,
    telegramUrl,
    serviceUrl,
    serviceKey: sandbox.key,
    dataDir: join(dataDir, KEPT.bot),
    organizerId,
    logLevel,
  })
  if (isNew && options.isLivedIn) await worlds.atOnce(() => plantClinic(worlds, env))
  const bot =
    botEntry && startBotProcess({ entry: botEntry, env, ...(onBotExit ? { onExit: onBotExit } : {}) })

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await bot?.stop()
    await Promise.all([page.close(), emulator.close(), sandbox.close()])
    worlds.closeFiles()
    unlock()
  }

  return {
    url,
    serviceUrl,
    invitations,
    organizerId,
    emulator,
    sandbox,
    bot,
    close: () => (closed ??= close()),
  }
}

/** Telegram and the service as stored in the folder. */
function openWorlds({ dataDir, fresh, generationSeconds, onWriteFailure }: DemoOptions) {
  const onFailure = onWriteFailure ?? (() => undefined)
  const smsListeners = new Set<(sms: Sms) => void>()
  let isMuch = false
  const telegramFile = createJsonFile({
    path: join(dataDir, KEPT.telegram),
    schema: emulatorStateSchema,
    current: () => emulator.snapshot(),
    onFailure,
  })
  const serviceFile = createJsonFile({
    path: join(dataDir, KEPT.service),
    schema: keptService,
    current: () => ({ key: sandbox.key, snapshot: sandbox.snapshot() }),
    onFailure,
  })
  const emulator = createEmulator({
    snapshot: fresh ? undefined : telegramFile.read(),
    onChange: telegramFile.schedule,
    blobs: directoryBlobs(join(dataDir, KEPT.files)),
  })
  const sandbox = createSandbox({
    ...(fresh ? undefined : serviceFile.read()),
    generationSeconds,
    // Like a real service, the sandbox must know its answers after a kill, so it writes without delay.
    onChange() {
      serviceFile.schedule()
      if (!isMuch) serviceFile.flush()
    },
    onSms(sms) {
      for (const listener of smsListeners) listener(publicSms(sms))
    },
  })
  return {
    emulator,
    sandbox,
    onSms(listener: (sms: Sms) => void): () => void {
      smsListeners.add(listener)
      return () => smsListeners.delete(listener)
    },
    /** Writes the many changes of `act` once, at the end. */
    async atOnce(act: () => Promise<void>): Promise<void> {
      isMuch = true
      await act()
      isMuch = false
      serviceFile.flush()
    },
    closeFiles(): void {
      telegramFile.close()
      serviceFile.close()
    },
  }
}

function seededInvitations({ emulator, sandbox }: Pick<Demo, 'emulator' | 'sandbox'>): Invitation[] {
  return sandbox.seed().map(({ title, note: kind, payload }) => {
    const link = `https://t.me/${emulator.username}?start=${payload}`
    return { title, kind, payload, link }
  })
}

function createPage(): FastifyInstance {
  const page = fastify({ forceCloseConnections: true, bodyLimit: 512 * 1024 })
  guardLoopback(page)
  page.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'no-referrer')
    reply.header('x-frame-options', 'SAMEORIGIN')
  })
  page.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) => {
    const status = error.statusCode ?? 500
    return reply.code(status).send({ error: status < 500 ? error.message : 'the demo failed' })
  })
  page.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }))
  return page
}

/** Deletes only files that a demo has made: the folder may contain others. */
function empty(dataDir: string): void {
  for (const name of [...Object.values(KEPT), `${KEPT.bot}.key`]) {
    rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Two parents and a person who reads English, so that visitors need not begin with a form. */
function settlePeople(emulator: Emulator): void {
  emulator.person({ firstName: 'سارا', lastName: 'محمدی', phone: '+989121234567' })
  emulator.person({ firstName: 'علی', lastName: 'رضایی', phone: '+989357654321' })
  emulator.person({ firstName: 'Maryam', phone: '+989191112233', languageCode: 'en' })
}

const ORGANIZER = { firstName: 'برگزارکننده', lastName: 'دفتر مرکز' }

/** The organizer among the people; adds one to an older demo that had none. */
function organizerIn(emulator: Emulator): number {
  const known = emulator
    .people()
    .find(({ state }) => state.firstName === ORGANIZER.firstName && state.lastName === ORGANIZER.lastName)
  return (known ?? emulator.person(ORGANIZER)).id
}

function publicSms({ mobile, code, at }: Sms): Sms {
  return { mobile, code, at }
}

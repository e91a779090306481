import { randomBytes } from 'node:crypto'
import type { Api } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { createAnswerTap } from './answering/answer-tap.ts'
import { createAttemptCache } from './answering/attempt-cache.ts'
import { introduceBot } from './dialog/commands.ts'
import { createRendered } from './dialog/rendered.ts'
import type { ContextDeps } from './dialog/update-context.ts'
import { createBot } from './inbox/bot.ts'
import { createChatHandler } from './inbox/chat.ts'
import { createInlineOffers } from './inbox/inline-offers.ts'
import { createIntake } from './inbox/intake.ts'
import { UPDATE_KINDS } from './inbox/update-form.ts'
import { createActHandler } from './jobs/acts.ts'
import { createChecksHandler, createGenerationHandler } from './jobs/analysis.ts'
import { createAnnounceHandler } from './jobs/announce.ts'
import { createQuestionHandler } from './jobs/asked-questions.ts'
import { createBatchHandler } from './jobs/batch.ts'
import { createCallHandler } from './jobs/call-job.ts'
import { createResultHandler } from './jobs/deliver-result.ts'
import type { JobDeps } from './jobs/deps.ts'
import { beginDigests, createDigestHandler } from './jobs/digest.ts'
import { createPolling } from './jobs/polling.ts'
import { createResultsHandler } from './jobs/result-table.ts'
import { createNoticeHandler, createNoticesDueHandler } from './jobs/send-notices.ts'
import { createSetAside } from './jobs/set-aside.ts'
import { createRecountHandler } from './jobs/stage-counts.ts'
import { createSubmitHandler } from './jobs/submit-answers.ts'
import { createWatchHandlers } from './jobs/watch.ts'
import type { HttpRoutes } from './observe/http-server.ts'
import { onceAMinute } from './observe/logger.ts'
import type { Metrics } from './observe/metrics.ts'
import { within } from './observe/within.ts'
import type { TemporaryFailure } from './queue/failing.ts'
import type { Suspects } from './queue/suspects.ts'
import { createWorker, type Worker } from './queue/worker.ts'
import { NEXT_REPLICA_MS, ServiceError } from './service/errors.ts'
import { createPictureFetcher } from './service/pictures.ts'
import { claimStore } from './storage/bot-of-store.ts'
import { organizerState } from './storage/documents/organizer-state.ts'
import { createContents } from './storage/documents/questions.ts'
import { createSessionStorage } from './storage/session-storage.ts'
import { createDownload } from './telegram/client.ts'
import { isUnclear, isUnreachable, pauseMsOf } from './telegram/errors.ts'
import { createPoller } from './telegram/poller.ts'
import type { Receiver, ReceiverOptions } from './telegram/receiver.ts'
import { createSender } from './telegram/sender.ts'
import { createWebhook } from './telegram/webhook.ts'

export type AppDeps = Omit<JobDeps, 'sender' | 'fetchPicture'> & {
  suspects: Suspects
  api: Api
  /** Whether Telegram has the commands and the description of the bot. */
  isIntroduced?: boolean
  server: Pick<HttpRoutes, 'on'>
  metrics: Metrics
} & Pick<ContextDeps, 'used' | 'failing' | 'forgotten'>

export type App = ReturnType<typeof createApp>

/** How long a stop waits for screens; those left are rendered with the next tap. */
const SCREENS_MS = 1_000

/** The failures that pass: a stop of this process, a pause that Telegram names, and Telegram out of reach. */
function temporaryFailureOf(error: unknown): TemporaryFailure | undefined {
  if (error instanceof ServiceError && error.code === 'no_slot')
    return { kind: 'named', afterMs: NEXT_REPLICA_MS, isStop: true }
  const pauseMs = pauseMsOf(error)
  if (pauseMs !== undefined) return { kind: 'named', afterMs: pauseMs }
  if (isUnreachable(error)) return { kind: 'nothing-done' }
  return isUnclear(error) ? { kind: 'unclear' } : undefined
}

/** Puts the parts together: updates come in, and the worker handles them and the jobs. */
export function createApp(deps: AppDeps) {
  const { config, store, vault, api, texts, metrics, log } = deps
  const sender = createSender({ api, log })
  // Of several replicas that poll, one receives all taps.
  const isOneOfMany = config.redisUrl !== undefined && config.webhookUrl !== undefined
  const rendered = createRendered({ connection: store.connection, isOneOfMany })
  const contents = createContents(vault)
  const life = randomBytes(9).toString('base64url')
  let worker: Worker | undefined
  let username = ''

  const intake = createIntake({
    ...deps,
    sender,
    answerTap: () => answerTap,
    answerInline: createInlineOffers({ api, config, texts, username: () => username }),
    t: texts.for(config.locale),
    username: () => username,
    onUpdate: metrics.update,
    wake: () => worker?.wake(),
    life,
  })
  const answerTap = createAnswerTap({
    ...deps,
    sender,
    rendered,
    attemptCache: createAttemptCache({ store, vault, contents }),
    isOneOfMany,
    onAnswer: metrics.answer,
    post: intake.post,
    postEvent: intake.postEvent,
  })
  const receiver = openReceiver(deps, {
    api,
    allowedUpdates: UPDATE_KINDS,
    handle: intake.handle,
    onError: onceAMinute((err) => log.warn({ err }, 'updates not received')),
  })

  return {
    /** Takes updates until `stop`; rejects when Telegram refuses the bot for good. */
    async run(me: UserFromGetMe): Promise<void> {
      // Only the processes of one bot share a Redis.
      if (config.redisUrl) await claimStore(store, String(me.id))
      username = me.username
      // If the store fails below, `run` is called again.
      worker ??= startWorker({ ...deps, sender, rendered, contents, life }, me)
      const onError = (err: unknown) => log.warn({ err }, 'commands not set')
      await beginDigests(deps)
      if (!deps.isIntroduced) introduceBot({ api, texts, config }).catch(onError)
      await receiver.run()
    },
    async stop(): Promise<void> {
      // Both take seconds if Telegram or the service hangs.
      await Promise.all([receiver.stop(), worker?.stop()])
      await within(SCREENS_MS, answerTap.settled())
    },
    /** Rejects while no updates can come; mends what it can. */
    checkUpdates: () => receiver.check(),
    /** Whether the worker has begun, and no message is being handled or rendered. */
    isIdle: () => worker?.busy() === 0 && answerTap.isIdle(),
    /** Waits for the messages and screens that are under way. */
    async idle(): Promise<void> {
      await worker?.idle()
      await answerTap.settled()
    },
  }
}

/** How long this process has run, by no clock that can be set. */
const elapsed = () => performance.now()

/** Opens the webhook or, without one, the long poll: of several replicas only one polls at a time. */
function openReceiver({ config, server, store, now, log }: AppDeps, receiving: ReceiverOptions): Receiver {
  const { webhookUrl: url, webhookSecret: secret, redisUrl } = config
  if (url) return createWebhook({ ...receiving, server, url, secret })
  if (!redisUrl) return createPoller({ ...receiving, now: elapsed })
  const open = (mayAsk: () => boolean) => createPoller({ ...receiving, now: elapsed, mayAsk })
  return createPolling({ store, now, log, open, onError: receiving.onError })
}

/** Starts the worker, which handles the messages of chats and all jobs. */
function startWorker(
  deps: AppDeps & Pick<ContextDeps, 'sender' | 'rendered' | 'contents'> & { life: string },
  me: UserFromGetMe,
): Worker {
  const { config, store, vault, metrics, now } = deps
  const { botToken: token, telegramApiRoot: apiRoot, httpProxyUrl: proxyUrl } = config
  const sessions = createSessionStorage({ store, vault, now }, organizerState)
  const fetchPicture = createPictureFetcher({ proxyUrl })
  const call = createCallHandler({ ...deps, fetchPicture })
  const polled = { ...deps, pollMs: config.pollSeconds * 1_000 }
  return createWorker({
    ...deps,
    term: () => ({ now: now(), retentionDays: config.retentionDays }),
    handlers: {
      chat: createChatHandler({
        ...deps,
        sessions,
        username: me.username,
        isInline: me.supports_inline_queries,
        download: createDownload({ api: deps.api, token, apiRoot, proxyUrl }),
        bot: createBot({ ...deps, me }),
      }),
      call,
      visit: call,
      submit: createSubmitHandler(deps),
      result: createResultHandler({ ...deps, isInline: me.supports_inline_queries }),
      generation: createGenerationHandler(polled),
      survey: createChecksHandler(polled),
      results: createResultsHandler(deps),
      batch: createBatchHandler({ ...deps, username: me.username }),
      notice: createNoticeHandler(deps),
      'notices-due': createNoticesDueHandler(deps),
      question: createQuestionHandler(deps),
      ...createWatchHandlers(deps),
      recount: createRecountHandler(deps),
      digest: createDigestHandler(deps),
      act: createActHandler(),
      event: createAnnounceHandler(deps),
    },
    temporaryFailureOf,
    setAside: createSetAside(deps),
    onEnd: metrics.job,
    onMilestone: metrics.milestone,
  })
}

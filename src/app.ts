import type { FastifyInstance } from 'fastify'
import type { Api } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { createCallHandler } from './background/calls.ts'
import { createResultHandler } from './background/deliver-result.ts'
import { createReminderHandler } from './background/remind.ts'
import { createNoticeHandler } from './background/send-notice.ts'
import { createSetAside } from './background/set-aside.ts'
import { createSubmitHandler } from './background/submit-answers.ts'
import { createTimerHandler } from './background/timer.ts'
import { createExpiryHandler } from './background/watch-expiry.ts'
import { createGenerationHandler } from './background/watch-generation.ts'
import { createOpeningHandler } from './background/watch-opening.ts'
import { createScreenHandler } from './background/watch-screen.ts'
import { createWorker, type Worker } from './background/worker.ts'
import { createBot } from './bot.ts'
import { createChatHandler } from './chat.ts'
import type { Config } from './config.ts'
import { createAnswerTap } from './features/answer-tap.ts'
import { createSheets } from './features/sheets.ts'
import { createIntake } from './intake.ts'
import { introduceBot } from './introduce-bot.ts'
import type { Log } from './observe/logger.ts'
import type { Metrics } from './observe/metrics.ts'
import type { CardRenderer } from './report/card-renderer.ts'
import type { ServiceClient } from './service/client.ts'
import { ServiceError } from './service/errors.ts'
import type { Store } from './store/store.ts'
import type { Vault } from './store/vault.ts'
import { isUnclear, isUnreachable, retryAfterSeconds } from './telegram/errors.ts'
import { createPoller } from './telegram/poller.ts'
import type { Receiver } from './telegram/receiver.ts'
import { createWebhook } from './telegram/webhook.ts'
import type { Texts } from './texts/texts.ts'

export type AppDeps = {
  config: Config
  store: Store
  vault: Vault
  api: Api
  service: ServiceClient
  texts: Texts
  cards: CardRenderer
  server: FastifyInstance
  metrics: Metrics
  log: Log
  now: () => number
}

export type App = {
  /** Takes updates until `stop`; rejects when Telegram refuses the bot for good. */
  run(me: UserFromGetMe): Promise<void>
  stop(): Promise<void>
  /** Whether it has begun and nothing is being handled or drawn. */
  isIdle(): boolean
}

const TELEGRAM_AWAY_MS = 8_000

function passesInMs(error: unknown): number | undefined {
  // This process stops and gives up its place in line; the next one takes it.
  if (error instanceof ServiceError && error.code === 'no_slot') return 1_000
  const isAway = isUnclear(error) || isUnreachable(error) || retryAfterSeconds(error) !== undefined
  return isAway ? TELEGRAM_AWAY_MS : undefined
}

const ALLOWED_UPDATES = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const

/** Puts the parts together: updates come in, the worker handles them, jobs work beside it. */
export function createApp(deps: AppDeps): App {
  const { config, store, vault, api, service, texts, cards, server, metrics, log, now } = deps
  let worker: Worker | undefined
  let username = ''

  const intake = createIntake({
    store,
    vault,
    api,
    answerTap: () => answerTap,
    t: texts.for(config.locale),
    username: () => username,
    log,
    onUpdate: metrics.update,
    wake: () => worker?.wake(),
  })
  const answerTap = createAnswerTap({
    store,
    vault,
    api,
    texts,
    config,
    sheets: createSheets({ store, vault }),
    now,
    log,
    onAnswer: metrics.answer,
    post: intake.post,
    postEvent: intake.postEvent,
  })
  const receiving = {
    api,
    allowedUpdates: ALLOWED_UPDATES,
    handle: intake.handle,
    onError: (err: unknown) => log.warn({ err }, 'updates not received'),
  }
  const { webhookUrl: url, webhookSecret: secret } = config
  const receiver: Receiver = url
    ? createWebhook({ ...receiving, server, url, secret })
    : createPoller(receiving)

  return {
    async run(me) {
      username = me.username
      const turnDeps = { store, vault, api, texts, config, username, now, log }
      worker = createWorker({
        store,
        vault,
        now,
        log,
        handlers: {
          chat: createChatHandler({ ...turnDeps, bot: createBot({ api, me }) }),
          call: createCallHandler({ service, store, vault, api, texts, now }),
          submit: createSubmitHandler({ service, store, vault, now }),
          result: createResultHandler({ service, vault, api, texts, config, cards, now, log }),
          generation: createGenerationHandler({ service, now, pollMs: config.pollSeconds * 1_000 }),
          opening: createOpeningHandler({ service, config, now }),
          screen: createScreenHandler({ store, now }),
          reminder: createReminderHandler({ store, config, now }),
          expiry: createExpiryHandler({ store, config, texts, now }),
          timer: createTimerHandler(),
          notice: createNoticeHandler({ api, log }),
        },
        passesInMs,
        setAside: createSetAside({ config, texts, now, log }),
        onEnd: metrics.job,
      })
      introduceBot({ api, texts, config }).catch((err: unknown) => log.warn({ err }, 'commands not set'))
      await receiver.run()
    },
    async stop() {
      await receiver.stop()
      await worker?.stop()
      await answerTap.settled()
    },
    isIdle: () => worker?.busy() === 0 && answerTap.isIdle(),
  }
}

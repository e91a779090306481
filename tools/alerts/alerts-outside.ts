import { fault, type Night } from './night.ts'

const DAY_MS = 86_400_000
const FOREVER = { times: Number.POSITIVE_INFINITY }
const OFTEN = { times: 1_000_000 }

fault('PorsaDown', 'the process was killed', {
  also: ['PorsaReplicaDown'],
  async make({ bots: [bot] }) {
    await bot.kill()
    return () => bot.start()
  },
})

fault('PorsaReplicaDown', 'one of two processes was killed', {
  onRedis: true,
  replicas: 2,
  async make({ bots: [, other] }) {
    await other?.kill()
    return () => other?.start()
  },
})

fault('PorsaVersionsDiffer', 'one of two processes was not upgraded', {
  onRedis: true,
  replicas: 2,
  also: ['PorsaReplicaDown'],
  async make({ bots: [, other], otherVersion }) {
    const former = await otherVersion()
    await other?.kill()
    former.start()
    return async () => {
      await former.kill()
      other?.start()
    }
  },
})

fault('PorsaTelegramFails', 'Telegram cannot be reached', {
  also: ['PorsaTelegramErrors', 'PorsaUpdatesStop'],
  async make({ emulator }) {
    const down = emulator.fault({ kind: 'down' })
    return () => down.end()
  },
})

fault('PorsaTelegramErrors', 'Telegram answers everything that is said with an error', {
  also: ['PorsaTelegramFails', 'PorsaChatsWait'],
  async make({ emulator }) {
    const failing = emulator.fault({ kind: 'error', method: /^(send|edit)/, ...FOREVER })
    const people = Array.from({ length: 5 }, () => emulator.person())
    for (const person of people) person.start()
    return () => failing.end()
  },
})

fault('PorsaServiceFails', 'the testing service cannot be reached', {
  async make({ sandbox }) {
    const cut = sandbox.fault({ kind: 'cut', ...OFTEN })
    return () => cut.end()
  },
})

fault('PorsaRateLimited', 'another program uses the key, and the service refuses calls with 429', {
  async make({ sandbox, meet }) {
    const refusing = sandbox.fault({ kind: 'rate-limit', retryAfter: 1, ...OFTEN })
    for (let people = 0; people < 8; people += 1) meet()
    return () => refusing.end()
  },
})

/** Calls the Bot API with the bot's token, as another program does that knows the token. */
const withItsToken = ({ env }: Night, method: string, args: object) =>
  fetch(`${env.TELEGRAM_API_ROOT}/bot${env.BOT_TOKEN}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(args),
  })

fault('PorsaUpdatesStop', 'another bot takes the webhook away, again and again', {
  webhook: true,
  async make(night) {
    const take = () => void withItsToken(night, 'setWebhook', { url: 'https://elsewhere.example/telegram' })
    take()
    const timer = setInterval(take, 500)
    return () => clearInterval(timer)
  },
})

fault('PorsaClockWrong', 'the clock of the machine goes 40 days ahead', {
  async make({ ahead }) {
    ahead(40 * DAY_MS)
    return () => ahead(0)
  },
})

fault('PorsaEventLoopLags', 'the machine hardly runs the process', {
  async make({ bots: [bot] }) {
    // The process runs for a third of each second.
    const timer = setInterval(() => {
      bot.freeze()
      setTimeout(() => bot.thaw(), 670)
    }, 1_000)
    return () => {
      clearInterval(timer)
      bot.thaw()
    }
  },
})

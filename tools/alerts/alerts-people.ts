import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtPackage } from '../../test/process/package.ts'
import type { Participant } from '../../test/process/participant.ts'
import { until } from '../../test/until.ts'
import { word } from '../../test/words.ts'
import { fault, type Night } from './night.ts'

const FOREVER = { times: Number.POSITIVE_INFINITY }
const OFTEN = { times: 1_000_000 }
const HOUR_MS = 3_600_000

/** Makes the service refuse all answers, until the returned function is called. */
function refuseAnswers({ sandbox }: Night): () => void {
  const refusing = sandbox.fault({
    kind: 'status',
    status: 503,
    method: 'POST',
    path: '^/record/[^/]+/$',
    ...OFTEN,
  })
  return refusing.end
}

fault('PorsaChatsWait', 'Telegram takes so long that no chat comes to its turn', {
  also: ['PorsaTelegramFails', 'PorsaTelegramErrors', 'PorsaUpdatesStop'],
  async make({ emulator }) {
    const slow = emulator.fault({ kind: 'delay', ms: 14_000, method: /^send/, ...FOREVER })
    for (let people = 0; people < 120; people += 1) emulator.person().start()
    return () => slow.end()
  },
})

fault('PorsaSubmissionUnsent', 'the service has not accepted finished answers for an hour', {
  async make(night) {
    const { sandbox, meet, passes } = night
    const accept = refuseAnswers(night)
    const zahra = meet()
    const isSent = () =>
      sandbox.calls.some(({ method, path }) => method === 'POST' && path.endsWith(`/${zahra.token}/`))
    await zahra.goesOnUntil(isSent)
    passes(1.2 * HOUR_MS)
    return () => {
      accept()
      passes(HOUR_MS)
    }
  },
})

fault('PorsaSetAside', 'a message ends the process whenever it is handled, and is dropped then', {
  also: ['PorsaDown', 'PorsaReplicaDown'],
  async make({ emulator, env, meet, bots: [bot], explain }) {
    const { person: victim } = meet()
    const killer = emulator.fault({
      kind: 'cut',
      when: (payload) =>
        payload.chat_id === victim.id && JSON.stringify(payload).includes('begin:') && Boolean(bot.kill()),
      ...FOREVER,
    })
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      await until(() => killer.hits === deaths, { explain })
      await bot.exit()
      bot.start()
    }
    await until(() => victim.transcript().includes(word('trouble')), { explain })
    return async () => {
      const porsa = join(await builtPackage(), 'dist/cli/porsa.js')
      await promisify(execFile)(process.execPath, [porsa, 'stuck', 'drop', 'all'], { env })
    }
  },
})

fault('PorsaSmsRefused', 'somebody asks for one code after the other', {
  async make({ meet, explain }) {
    const zahra = meet({ authRequired: true })
    await zahra.goesOnUntil(() => zahra.place === 'code')
    for (let taps = 0; taps < 25; taps += 1) {
      const answered = zahra.person.answers.length
      await zahra.taps('sms:again', zahra.person.lastWith('sms:again'))
      await until(() => zahra.person.answers.length > answered, { explain })
    }
    return () => undefined
  },
})

fault('PorsaNobodyFinishes', 'many begin, and the service takes the answers of nobody', {
  async make(night) {
    const accept = refuseAnswers(night)
    const people = Array.from({ length: 12 }, () => night.meet())
    for (const person of people) await person.goesOnUntil(() => person.place === 'question')
    const [first] = people
    return async () => {
      accept()
      await first?.goesOnUntil(() => first.result.documents > 0)
    }
  },
})

fault(
  'PorsaResultsOwed',
  'one after the other finishes a test, and has blocked the bot when the result comes',
  {
    also: ['PorsaTelegramErrors'],
    async make({ emulator, meet, passes, prometheus }) {
      const description = 'Forbidden: bot was blocked by the user'
      const blocked = emulator.fault({
        kind: 'error',
        status: 403,
        description,
        method: 'sendPhoto',
        ...FOREVER,
      })
      const people: Participant[] = []
      const isRaised = async () =>
        (await prometheus.firing()).some(({ labels }) => labels.alertname === 'PorsaResultsOwed')
      while (people.length < 60 && !(await isRaised())) {
        const person = meet()
        people.push(person)
        await person.goesOnUntil(() => blocked.hits === people.length)
        // Stored documents are counted once a minute.
        passes(61_000)
        console.log(
          people.length,
          await prometheus.figures('porsa_kept{kind="owed-result"}'),
          await prometheus.figures('porsa_sittings{state="sending"}'),
          await prometheus.figures('porsa_oldest_unsent_submission_seconds'),
        )
      }
      return () => {
        blocked.end()
        for (const { person } of people) person.start()
        passes(61_000)
      }
    },
  },
)

fault('PorsaBudgetSpent', 'more is asked for than the limit of an hour allows', {
  environment: { RATE_PER_HOUR: '16' },
  async make({ meet, passes }) {
    const people = Array.from({ length: 4 }, () => meet())
    for (const person of people)
      void person.goesOnUntil(() => person.result.documents > 0).catch(() => undefined)
    return () => passes(HOUR_MS)
  },
})

import fc from 'fast-check'
import { dataOf } from '../../test/places.ts'
import type { Emulator } from '../emulator/emulator.ts'
import type { HttpAnswer, HttpRequest } from './carry.ts'
import type { Chance } from './chance.ts'
import { harmed, MARK, type Maker, type Noise, noise, PHONE } from './noise-updates.ts'
import type { Participant } from './person.ts'
import type { Broken } from './promises.ts'
import { HOSTS } from './settings.ts'
import type { Days } from './time.ts'

export type NoiseDeps = {
  time: Days
  now: () => number
  chance: Chance
  emulator: Emulator
  people: readonly Participant[]
  /** Invitations of the people who only make noise. */
  invitations: readonly string[]
  secret: string
  take: (request: HttpRequest) => Promise<HttpAnswer>
  asksAgain: (chat: number) => void
  /** A participant taps this data by chance. */
  onTap: (chat: number, data: string) => void
}

/** Buttons that a participant does not press by chance, because they would end the test, change it or hand it over. */
const DECISIVE = /^(forget:yes|guardian:no|lang:|hand:|birth:j|gender:male|mobile:ok|sms:mobile|extid:)/
const MOST_MS = 400
const REMEMBERED = 60

/** Sends `count` generated updates between the steps of the people, and checks the outcome. */
export function createNoise(deps: NoiseDeps, count: number) {
  const { time, now, chance, emulator, people, invitations, secret, take, asksAgain, onTap } = deps
  // Some are decisions that no participant makes by chance; they are left out, so twice as many are generated.
  const left = fc.sample(noise, { seed: chance.below(2 ** 31), numRuns: 2 * count })
  let sent = 0
  const broken: Broken[] = []
  const taps: string[] = []
  const strangers = invitations.map((invitation, number) => ({
    person: emulator.person({ firstName: `n${number}` }),
    invitation,
    participant: undefined,
  }))
  const makers = [
    ...people.map((participant) => ({ person: participant.person, invitation: undefined, participant })),
    ...strangers,
  ]
  const shown = new Map<number, Set<string>>()
  /** The records that were begun. Before that, a record belongs to any account that opens and begins it. */
  const begun = new Set<string>()
  /** The number of options of each shown question, by person. */
  const asked = new Map<string, number>()
  let newcomer: ReturnType<Emulator['person']> | undefined
  let number = 5_000_000

  /** Reads the newest buttons of all people. */
  function look(): void {
    for (const { person } of makers) {
      const buttons = shown.get(person.id) ?? new Set()
      const newest = person.messages.findLast(({ from }) => from.is_bot)
      for (const data of newest ? dataOf(newest) : []) {
        buttons.add(data)
        const [, verb, s = ''] = /^([a-z]+):([\w-]+)/.exec(data) ?? []
        if (verb !== 'begin') begun.add(s)
        const [, question, option] = /^a:([^:]+:\d+):(\d+):/.exec(data) ?? []
        const key = `${person.id}:${question}`
        if (question) asked.set(key, Math.max(asked.get(key) ?? 0, Number(option) + 1))
      }
      shown.set(person.id, new Set([...buttons].slice(-REMEMBERED)))
    }
  }

  function makerOf({ person, invitation, participant }: (typeof makers)[number]): Maker {
    const ownButtons = [...(shown.get(person.id) ?? [])]
    const othersButtons = [...shown].flatMap(([id, data]) => (id === person.id ? [] : [...data]))
    const taken = people.flatMap(({ memory, tasks: [first] }) =>
      memory.newest() && first ? [`${first.kind}_${first.token}`] : [],
    )
    return {
      id: person.id,
      firstName: person.state.firstName,
      isUnderWay: participant !== undefined,
      newestId: person.messages.at(-1)?.message_id ?? 1,
      seen: {
        own: idsIn(ownButtons),
        others: idsIn(othersButtons),
        ownButtons,
        othersButtons,
        taken: participant
          ? taken.filter((link) => !participant.tasks.some(({ token }) => link.includes(token)))
          : taken,
        invitation,
      },
    }
  }

  /** The update that this person sends; `undefined` if it would be a decision. */
  function updateOf({ kind, body, damage }: Noise, by: (typeof makers)[number]) {
    const maker = makerOf(by)
    const whole = body(maker, Math.floor(now() / 1_000))
    // A word in another field could become an answer that the participant never gave.
    const isHarmed = damage && !(maker.isUnderWay && JSON.stringify(damage.value).includes('"'))
    const content = isHarmed ? harmed(whole, damage.steps, damage.value) : whole
    const data: unknown = Reflect.get(Object(content), 'data')
    const [, opened = ''] = (typeof data === 'string' && /^[a-z]+:([\w-]+)/.exec(data)) || []
    if (maker.seen.others.includes(opened) && !begun.has(opened)) return undefined
    if (by.participant && typeof data === 'string') {
      if (DECISIVE.test(data) || !note(by.participant, data)) return undefined
    }
    if (kind === 'callback_query' && !isHarmed) taps.push(String(Reflect.get(Object(content), 'id')))
    number += 1
    return { update_id: number, [kind]: content }
  }

  /**
   * Records a tap by chance, since it counts as an answer all the same. `false` if it is unknown whether it counts,
   * because the question has just come.
   */
  function note({ memory, person }: Participant, data: string): boolean {
    asksAgain(person.id)
    onTap(person.id, data)
    const [, s = '', question = '', option] = /^a:([^:]+):(\d+):(\d+):/.exec(data) ?? []
    const optionsOf = (position: number) => asked.get(`${person.id}:${s}:${position}`)
    const options = optionsOf(Number(question))
    if (options === undefined)
      return optionsOf(Number(question) - 1) === undefined && optionsOf(Number(question) - 2) === undefined
    if (Number(option) < options) memory.attempt(s, Number(question), Number(option))
    return true
  }

  function send(update: object): void {
    const headers = { 'x-telegram-bot-api-secret-token': secret }
    const request = {
      host: HOSTS.bot,
      path: '/telegram',
      method: 'POST',
      headers,
      body: JSON.stringify(update),
    }
    take({ ...request, signal: new AbortController().signal }).then(
      ({ status }) => {
        if (status !== 200)
          broken.push({ kind: 'error', what: `${status} for ${request.body.slice(0, 300)}` })
      },
      (error: Error) =>
        broken.push({ kind: 'error', what: `${error.message} for ${request.body.slice(0, 300)}` }),
    )
  }

  function next(): void {
    const one = left.pop()
    if (!one || sent >= count) {
      newcomer = emulator.person({ firstName: 'newcomer' })
      newcomer.start()
      return
    }
    look()
    const update = updateOf(one, chance.pick(makers))
    if (update) sent += 1
    if (update) send(update)
    if (update && one.isDoubled) send(update)
    time.after(update ? chance.below(MOST_MS) : 0, next)
  }

  /** The taps that are not answered yet. */
  function open(): string[] {
    const answered = new Set(
      emulator.calls
        .filter(({ method }) => method === 'answerCallbackQuery')
        .map(({ payload }) => payload.callback_query_id),
    )
    return taps.filter((id) => !answered.has(id))
  }

  return {
    begin: () => time.after(1_000, next),
    /** All noise was sent, a newcomer afterwards has an answer, and all taps are answered. */
    isOver: () => newcomer?.messages.some(({ from }) => from.is_bot) === true && open().length === 0,
    secrets: [MARK, PHONE],
    get sent() {
      return sent
    },
    /** The promises that noise has broken; nothing else fails in these worlds. */
    judge(lines: readonly string[]): Broken[] {
      const secrets = people.flatMap((participant) => participant.secrets)
      const told = strangers.filter(({ person }) =>
        secrets.some((secret) => JSON.stringify(person.messages).includes(secret)),
      )
      return [
        ...broken,
        ...open().map((id) => ({ kind: 'stuck' as const, what: `the tap ${id} was not answered` })),
        ...told.map(() => ({ kind: 'strayed' as const, what: 'a stranger reads a secret of a participant' })),
        ...lines
          .filter((line) => line.includes('"level":"error"') && !line.includes(OLDER))
          .map((what) => ({ kind: 'error' as const, what })),
      ]
    },
  }
}

/** A forged button may have a revision that the store has not reached yet. */
const OLDER = 'it came back older'

/** The records of these buttons. */
const idsIn = (buttons: readonly string[]): string[] => [
  ...new Set(buttons.flatMap((data) => /^[a-z]+:([\w-]{6,})/.exec(data)?.[1] ?? [])),
]

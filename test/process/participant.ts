import type { PersonDriver, WireMessage } from '../../src/emulator/emulator.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { loadTexts } from '../../src/texts/texts.ts'
import { readQuestion } from '../dialogs/screen.ts'
import type { Chance } from '../random.ts'
import { becomes } from '../until.ts'

export const ZAHRA = { name: 'زهرا محمدی', birth: '1375/5/12', mobile: '09123456789' }

/** What the bot asks for next, told by what its newest message offers. */
const asked = [
  ['begin', /^begin:/],
  ['birth', /^birth:/],
  ['gender', /^gender:/],
  ['summary', /^profile:ok/],
  ['code', /^sms:again/],
  ['question', /^a:/],
  ['review', /^submit:/],
] as const

type Place = (typeof asked)[number][0]

const word = loadTexts().for('fa').plain

export type Participant = ReturnType<typeof createParticipant>

/**
 * Somebody who does not give up: does what the newest message asks, taps again when nothing happens, and remembers
 * which option was chosen first for each question.
 */
export function createParticipant({
  sandbox,
  person,
  token,
  explain,
  chance,
}: {
  sandbox: Sandbox
  person: PersonDriver
  token: string
  explain: () => string
  chance: Chance
}) {
  const chosen: number[] = []
  const typed = new Set<string>()
  let stepsTaken = 0
  // How often somebody is impatient depends on the time, which option is chosen must not.
  let choose = chance()
  const impatience = chance()

  const fromBot = () => person.messages.filter(({ from }) => from.is_bot)
  const dataOf = (message: WireMessage | undefined) =>
    (message?.reply_markup?.inline_keyboard.flat() ?? []).flatMap(({ callback_data: data }) => data ?? [])
  const place = () => asked.find(([, sign]) => dataOf(fromBot().at(-1)).some((data) => sign.test(data)))?.[0]
  const screen = () => JSON.stringify(fromBot().at(-1) ?? '')

  /** Types a text once; it reaches the bot whatever happens to the process. */
  function types(text: string): void {
    if (typed.has(text)) return
    typed.add(text)
    person.say(text)
  }

  function answer(): void {
    const { position, data, message } = readQuestion(fromBot().at(-1), person.transcript)
    const option = chosen[position - 1] ?? choose(data.length)
    chosen[position - 1] = option
    person.tap(data[option] ?? '', message)
    // Impatience: the same tap twice, or at once another one, which comes too late.
    if (impatience(5) === 0) person.tap(data[option] ?? '', message)
    if (impatience(10) === 0) person.tap(data[(option + 1) % data.length] ?? '', message)
  }

  /** What to do where. The name and the mobile are asked for without buttons. */
  const steps: Record<Place, () => unknown> = {
    begin: () => person.tap(/^begin:/),
    birth: () => types(ZAHRA.birth),
    gender: () => person.tap('gender:female'),
    summary: () => person.tap('profile:ok'),
    code: () => types(sandbox.sms()[0]?.code ?? ''),
    question: answer,
    review: () => person.tap(/^submit:/),
  }

  function act(): void {
    stepsTaken += 1
    const here = place()
    if (here) steps[here]()
    else if (person.state.replyKeyboard) types(ZAHRA.mobile)
    else if (fromBot().at(-1)?.text === word('name-ask')) types(ZAHRA.name)
  }

  return {
    person,
    token,
    chosen,
    place,
    explain,
    /** Chooses the same option everywhere. */
    always(option: number) {
      choose = () => option
    },
    /** Whether the newest message has this button. */
    offers: (data: string) => dataOf(fromBot().at(-1)).includes(data),
    /** How often something was done. */
    get stepsTaken() {
      return stepsTaken
    },
    opens: () => void person.start(`record_${token}`),
    /** Goes on until something is reached. Fails with the chat when it is not, within a minute at most. */
    async goesOnUntil(isReached: () => boolean, withinMs = 60_000): Promise<void> {
      const deadline = performance.now() + withinMs
      while (!isReached()) {
        if (performance.now() > deadline) throw new Error(`not reached: ${isReached}\n${explain()}`)
        const before = screen()
        act()
        await becomes(() => isReached() || screen() !== before, 700)
      }
    },
    /** The result as it lies in the chat: how often each part was sent. */
    get result() {
      const count = (is: (message: WireMessage) => unknown) => fromBot().filter(is).length
      return {
        pictures: count(({ photo }) => photo),
        documents: count(({ document }) => document),
        texts: count(({ text }) => text?.startsWith('نتیجهٔ آزمون')),
      }
    },
    /** What the service accepted, as positions of the options. */
    get accepted(): number[][] {
      return sandbox
        .submissions(token)
        .filter((submission) => submission.accepted)
        .map(({ record }) => optionsOf(record))
    },
  }
}

/** The sandbox names options by their place: `q3o1`, or `o1` where they repeat. */
const optionsOf = (record: unknown): number[] =>
  Object.values(record as object)
    .flat()
    .map((id) => Number(/o(\d+)$/.exec(String(id))?.[1]) - 1)

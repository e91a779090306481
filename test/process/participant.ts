import type { PersonDriver, WireMessage } from '../../tools/emulator/emulator.ts'
import type { Sandbox } from '../../tools/sandbox/sandbox.ts'
import { createAccount, withMore } from '../account.ts'
import type { Place } from '../places.ts'
import type { Chance } from '../random.ts'
import { becomes } from '../until.ts'
import { usualWay, ZAHRA } from '../usual-way.ts'

export type Participant = ReturnType<typeof createParticipant>

/**
 * A participant who does not give up: does what the newest message asks, taps again when nothing happens, and
 * remembers the first chosen option of each question.
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
  // The number of impatient taps depends on timing; the chosen options must not.
  let choose = chance()
  const impatience = chance()

  const account = createAccount({ settled: async () => {} }, person, `record_${token}`)
  const { acts, fromBot } = account
  const screen = () => JSON.stringify(fromBot().at(-1) ?? '')

  /** Types a text once; it reaches the bot even if the process is killed. */
  async function types(text: string): Promise<void> {
    if (typed.has(text)) return
    typed.add(text)
    await account.says(text)
  }

  function answer(): void {
    const { position, data, message } = account.question
    const option = chosen[position - 1] ?? choose(data.length)
    chosen[position - 1] = option
    person.tap(data[option] ?? '', message)
    // Impatience: the same tap twice, or another one at once, which comes too late.
    if (impatience(5) === 0) person.tap(data[option] ?? '', message)
    if (impatience(10) === 0) person.tap(data[(option + 1) % data.length] ?? '', message)
  }

  const code = () => sandbox.sms()[0]?.code ?? ''
  const steps: Partial<Record<Place, () => Promise<unknown>>> = {
    ...usualWay(account, code),
    name: () => types(ZAHRA.name),
    birth: () => types(ZAHRA.typedBirth),
    mobile: () => types(ZAHRA.mobile),
    code: () => types(code()),
    question: () => acts(answer),
  }

  async function goesOn(): Promise<void> {
    stepsTaken += 1
    const { place } = account
    if (place) await steps[place]?.()
  }

  return withMore(account, {
    token,
    chosen,
    explain,
    /** Chooses this option everywhere. */
    always(option: number) {
      choose = () => option
    },
    /** Whether the newest message has this button. */
    offers: (data: string) => fromBot().length > 0 && account.data.includes(data),
    /** The number of acts. */
    get stepsTaken() {
      return stepsTaken
    },
    /** Goes on until this is reached. Fails with the chat if it is not reached in four minutes. */
    async goesOnUntil(isReached: () => boolean, withinMs = 240_000): Promise<void> {
      const deadline = performance.now() + withinMs
      while (!isReached()) {
        if (performance.now() > deadline) throw new Error(`not reached: ${isReached}\n${explain()}`)
        const before = screen()
        await goesOn()
        await becomes(() => isReached() || screen() !== before, 700)
      }
    },
    /** The result in the chat: how often each part was sent. */
    get result() {
      const count = (is: (message: WireMessage) => unknown) => fromBot().filter(is).length
      return {
        pictures: count(({ photo }) => photo),
        documents: count(({ document }) => document?.file_name?.endsWith('.html')),
        texts: count(({ text }) => text?.startsWith('نتیجهٔ آزمون')),
      }
    },
    /** The accepted answers, as positions of the options. */
    get accepted(): number[][] {
      return sandbox
        .submissions(token)
        .filter((submission) => submission.accepted)
        .map(({ record }) => optionsOf(record))
    },
  })
}

/** The sandbox names options by position: `q3o1`, or `o1` where they repeat. */
const optionsOf = (record: unknown): number[] =>
  Object.values(record as object)
    .flat()
    .map((id) => Number(/o(\d+)$/.exec(String(id))?.[1]) - 1)

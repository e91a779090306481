import { setTimeout as pause } from 'node:timers/promises'
import type { PersonDriver } from '../emulator/emulator.ts'
import type { Camera, Shot } from './camera.ts'
import { PATIENCE_MS, type Studio } from './studio.ts'

/** One person on a tour, in front of the camera. */
export type Visitor = ReturnType<typeof createVisitor>

/** Puts a new person, or the organizer of the demo, in front of the camera. */
export type Meet = (as?: 'organizer') => Promise<Visitor>

export function createVisitor(
  { sandbox, settled }: Studio,
  { camera, person, take }: { camera: Camera; person: PersonDriver; take: (shot: Shot) => void },
) {
  /** The newest message before the last action. */
  let seen = 0

  const fromBot = () => person.messages.filter(({ from }) => from.is_bot)

  async function does(action: () => unknown): Promise<void> {
    seen = person.messages.at(-1)?.message_id ?? 0
    action()
    await settled()
  }

  async function until(isSo: () => boolean, wanted: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS
    while (!isSo()) {
      if (Date.now() > deadline) throw new Error(`no ${wanted} came\n${person.transcript()}`)
      await pause(50)
    }
    await settled()
  }

  const visitor = {
    person,
    starts: (payload?: string) => does(() => person.start(payload)),
    says: (text: string) => does(() => person.say(text)),
    /** Replies to the newest message. */
    replies: (text: string) => does(() => person.say(text, { replyTo: person.last.message_id })),
    taps: (button: string | RegExp) => does(() => person.tap(button)),
    /** Puts the person in front of the camera again. */
    returns: () => camera.openPhone(person.id),
    /** Carries out an action of the person's own app. */
    does,
    /** Opens an invitation to a new record and consents. */
    async begins(testId: string, more: { testsAuthRequired?: boolean; authRequired?: boolean } = {}) {
      const token = sandbox.addRecord({ testId, testsAuthRequired: false, ...more })
      await visitor.starts(`record_${token}`)
      await visitor.taps(/^begin:/)
      return token
    },
    async givesDetails(name: string, birth: string, gender: string) {
      await visitor.says(name)
      await visitor.says(birth)
      if (visitor.sees(/^gender:/)) await visitor.taps(gender)
    },
    /** Gives all details, up to the summary. */
    async introduces() {
      await visitor.givesDetails('زهرا محمدی', '1375/5/12', 'gender:female')
      await visitor.says('09123456789')
    },
    /** Answers all questions. */
    async answersAll() {
      for (let at = 0; visitor.sees(/^a:/); at++) {
        const options = buttonsOf(person.lastWith('a:')).filter((data) => data.startsWith('a:'))
        await visitor.taps(options[at % options.length] ?? '')
      }
    },
    sees: (button: RegExp) => buttonsOf(fromBot().at(-1)).some((data) => button.test(data)),
    /** Waits for a button that appears after the bot has retried for a while. */
    waitsFor: (button: RegExp) => until(() => visitor.sees(button), `button ${button}`),
    waitsForFile: () => until(() => fromBot().at(-1)?.document !== undefined, 'document'),
    /** The bot's messages since the last action. */
    get said(): string {
      const fresh = fromBot().filter(({ message_id: id }) => id > seen)
      return fresh.map(({ text }) => text ?? '').join('\n')
    },
    /** Takes a picture of all messages since the last action, or of the view that was changed in place. */
    async shows(name: string) {
      const fresh = person.messages.find(({ message_id: id }) => id > seen) ?? fromBot().at(-1)
      take(await camera.take(name, fresh?.message_id))
    },
    /** Takes a picture of the newest message. */
    async showsLast(name: string) {
      take(await camera.take(name, fromBot().at(-1)?.message_id))
    },
    /** Takes a picture of the whole phone. */
    async showsPhone(name: string) {
      take(await camera.take(name))
    },
    /** Presses a control of the app, not of the bot. */
    presses: (selector: string) => camera.press(selector),
    waits: (ms: number) => pause(ms),
    /** The newest SMS code. */
    get code(): string {
      return sandbox.sms()[0]?.code ?? ''
    },
    sandbox,
  }
  return visitor
}

function buttonsOf(message: PersonDriver['last'] | undefined): string[] {
  return (message?.reply_markup?.inline_keyboard.flat() ?? []).flatMap(
    ({ callback_data }) => callback_data ?? [],
  )
}

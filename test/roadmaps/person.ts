import { toAsciiDigits } from '../../src/domain/persian/clean.ts'
import type { PersonDriver, WireMessage } from '../../tools/emulator/emulator.ts'
import { createAccount, withMore } from '../account.ts'
import { dataOf, isBoard } from '../places.ts'
import { isPdf } from '../words.ts'
import type { World } from '../world.ts'
import { MOBILE, people } from './kin.ts'

export type Person = ReturnType<typeof createPerson>

/** One account, its chat with the bot, and what a person does there. */
export function createPerson(world: World, driver: PersonDriver, token: string, read = 0) {
  const { sandbox, settled } = world
  const account = createAccount(world, driver, `roadmap_${token}`, read)
  const { taps, says, fromBot } = account

  const person = withMore(account, {
    /** Types the details of all roles, up to the summary. */
    async introducesAll(roles: readonly number[]) {
      for (const role of roles) await person.introduces(role)
      await says(MOBILE)
    },
    /** Types the details of one role. */
    async introduces(role: number) {
      const details = people[role]
      if (!details) throw new Error(`nobody plays role ${role}`)
      await says(details.name)
      await person.forges(details.birth)
      if (person.place === 'guardian') await taps('guardian:yes')
      if (details.gender) await taps(details.gender)
    },
    /** Begins a roadmap, and goes up to the summary of all roles. */
    async reachesSummary(roles: readonly number[]) {
      await person.opens()
      await taps(/^begin:/)
      await person.introducesAll(roles)
    },
    /** Begins a roadmap, and goes up to its board. */
    async comesToBoard(roles: readonly number[]) {
      await person.reachesSummary(roles)
      await taps('profile:ok')
      if (person.place === 'code') await says(sandbox.sms()[0]?.code ?? '')
    },
    /** Answers what is shown with the option at this position, up to the review. */
    async answers(option = 0) {
      while (person.place === 'question') await taps(new RegExp(`^a:[^:]+:\\d+:${option}:`), driver.last)
    },
    /** Opens the n-th test that the board offers, and finishes it. */
    async takes(index = 0, option = 0) {
      if (index >= person.offered.length) await person.unfolds()
      const open = person.offered[index]
      if (!open) throw new Error(`no test ${index} on the board\n${driver.transcript()}`)
      await taps(open, person.board)
      if (person.place === 'hand-over') await taps(/^ready:/, driver.last)
      await person.answers(option)
      await taps(/^submit:/)
    },
    /** Makes the board show a button for each test that is left. */
    unfolds: () => taps(/^tests:[^:]+:all$/, person.board),
    async takesAll() {
      while (person.offered.length > 0) await person.takes()
    },
    /** Assigns a role to another account. Returns the payload of the invitation. */
    async hands(role: number): Promise<string> {
      await taps(new RegExp(`^hand:[^:]+:${role}$`), person.board)
      const link = /start=(i_[a-z2-7]{12})/.exec(person.heard)?.[1]
      if (!link) throw new Error(`no invitation\n${driver.transcript()}`)
      return link
    },
    /** Opens an invitation to a role and agrees. */
    async accepts(invitation: string) {
      await person.opens(invitation)
      await taps(/^begin:/)
      if (person.place === 'guardian') await taps('guardian:yes')
    },
    /** The person deletes a message of the bot from the chat, for both sides. */
    async deletes({ message_id }: WireMessage) {
      const { TELEGRAM_API_ROOT: root, BOT_TOKEN: botToken } = world.env
      const body = JSON.stringify({ chat_id: driver.id, message_id })
      const headers = { 'content-type': 'application/json' }
      await fetch(`${root}/bot${botToken}/deleteMessage`, { method: 'POST', headers, body })
      await settled()
    },

    /** All boards in the chat; there should never be two. */
    get boards(): WireMessage[] {
      return fromBot().filter(isBoard)
    },
    /** The newest board. */
    get board(): WireMessage {
      const board = person.boards.at(-1)
      if (!board) throw new Error(`no board\n${driver.transcript()}`)
      return board
    },
    /** The tests that the board offers to open. */
    get offered(): string[] {
      const board = person.boards.at(-1)
      return board ? dataOf(board).filter((data) => data.startsWith('open:')) : []
    },
    /** How many tests the board has left for this account. */
    get left(): number {
      const buttons = person.board.reply_markup?.inline_keyboard.flat() ?? []
      const all = buttons.find(({ callback_data: data }) => data?.endsWith(':all'))
      return all ? Number(toAsciiDigits(all.text).replace(/\D/g, '')) : person.offered.length
    },
    /** The roles that the board offers to assign (`hand`) or to take back (`unhand`). */
    rolesOf: (verb: 'hand' | 'unhand'): number[] =>
      dataOf(person.board)
        .flatMap((data) => (data.startsWith(`${verb}:`) ? [Number(data.split(':')[2])] : []))
        .sort(),
    /** The combined reports that have arrived. */
    get reports() {
      return fromBot().filter(({ document }) => document && !isPdf(document))
    },
    get pictures() {
      return fromBot().filter(({ photo }) => photo)
    },
  })
  return person
}

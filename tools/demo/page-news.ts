import type { Emulator, PersonDriver } from '../emulator/emulator.ts'
import type { Newest } from './api.ts'

/** The newest message of each person who has got one from the bot or from another person. */
export function newestOf(emulator: Emulator): Newest {
  const entries = emulator.people().map((person) => [person.id, newestId(person)] as const)
  return Object.fromEntries(entries.filter(([, id]) => id > 0))
}

function newestId({ messages, state }: PersonDriver): number {
  const fromBot = messages.findLast(({ from }) => from.is_bot)
  return Math.max(fromBot?.message_id ?? 0, state.received?.at(-1)?.id ?? 0)
}

/** Reports every message that a person gets; returns a function that stops this. */
export function watchNews(emulator: Emulator, tell: (news: Newest) => void): () => void {
  return emulator.watchAll((personId, { type, data }) => {
    if (type === 'message' && data.from === 'bot') tell({ [personId]: data.id })
    const last = type === 'received' ? data.at(-1) : undefined
    if (last) tell({ [personId]: last.id })
  })
}

import { actorKind } from '../queue/actors.ts'
import { withAllTries } from '../queue/failing.ts'
import { type DeadLetter, deadLetters } from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'
import { inOneStep, type Opened, openExisting } from './opened.ts'
import { type Called, Misused, settingsOf } from './output.ts'

type Found = { who: string; letter: DeadLetter }

const ACTS = ['repeat', 'drop'] as const

/** `porsa stuck`: lists the dead letters, hands them out again, or drops them. Returns the exit code. */
export async function runStuck({ args, env, output }: Called): Promise<number> {
  const [given, ...ids] = args
  const act = ACTS.find((one) => one === given)
  if (given !== undefined && act === undefined) throw new Misused(`say what to do: ${ACTS.join(' or ')}`)
  if (act !== undefined && ids.length === 0) throw new Misused(`say which: ${act} <number>…, or ${act} all`)
  const { config } = settingsOf(env)
  const opened = await openExisting(config)
  try {
    const found = await findAll(opened)
    if (act === undefined) {
      if (found.length === 0) output.out('nothing is stuck')
      for (const one of found) output.out(lineOf(one))
      return 0
    }
    const wanted = ids.includes('all')
      ? found
      : ids.flatMap((id) => found.find(({ letter }) => letter.id === id) ?? [])
    if (wanted.length === 0 || (wanted.length < ids.length && !ids.includes('all')))
      throw new Error('no such number: `porsa stuck` lists them')
    const closed = wanted.find(({ letter }) => letter.body === undefined)
    if (act === 'repeat' && closed)
      throw new Error(
        `${closed.letter.id} cannot be repeated, nobody can read it: \`porsa stuck drop ${closed.letter.id}\``,
      )
    await inOneStep(config, opened, async (work) => {
      for (const { who, letter } of wanted) {
        const kept = await work.get(deadLetters, who)
        if (!kept?.letters.some(({ id }) => id === letter.id)) continue
        kept.letters = kept.letters.filter(({ id }) => id !== letter.id)
        if (kept.letters.length === 0) work.remove(deadLetters, who)
        if (act === 'repeat' && letter.body) work.post(letter.actor, withAllTries(letter.body))
      }
    })
    output.out(
      act === 'repeat' ? `${wanted.length} handed out again, within seconds` : `${wanted.length} dropped`,
    )
    return 0
  } finally {
    await opened.store.close()
  }
}

async function findAll({ store, vault }: Opened): Promise<Found[]> {
  const ids: string[] = []
  for (let from: string | undefined, isFirst = true; isFirst || from !== undefined; isFirst = false) {
    const page = await store.census(from, deadLetters.prefix)
    ids.push(...page.names)
    from = page.next
  }
  const unique = [...new Set(ids)]
  const kept = await readDocuments({ store, vault }, deadLetters, unique)
  const found = kept.flatMap(
    (one, at) => one?.letters.map((letter) => ({ who: unique[at] ?? '', letter })) ?? [],
  )
  return found.sort((one, other) => one.letter.at - other.letter.at)
}

/** One line for a dead letter. Nothing in it is personal: the account has the name that the log uses. */
function lineOf({ letter: { id, actor, at, times, why, trace } }: Found): string {
  const since = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return `${id}  ${actorKind(actor) ?? 'unknown'} of ${trace.slice(0, 6)}  since ${since} UTC, ${times} times  trace ${trace}\n        ${why}`
}

import { accountOf } from '../domain/assignee.ts'
import { parsePayload } from '../domain/invitation.ts'
import { traceOf } from '../observe/logger.ts'
import { assignees, recordFiles, tokenIndex, tokenKey } from '../storage/documents/kinds.ts'
import { readDocument } from '../storage/documents.ts'
import { openExisting } from './opened.ts'
import { type Called, Misused, settingsOf } from './output.ts'

/** `porsa trace`: shows the `trace` of the log lines about the account that has a record or roadmap. */
export async function runTrace({ args: [kind, id = '', ...more], env, output }: Called): Promise<number> {
  if (kind !== 'record' && kind !== 'roadmap') throw new Misused('say whose: record <uuid> or roadmap <uuid>')
  if (!parsePayload(`${kind}_${id}`)) throw new Misused(`the ${kind} must be given by its UUID`)
  if (more.length > 0) throw new Misused('too many arguments')
  const { config } = settingsOf(env)
  const opened = await openExisting(config, 'read')
  try {
    const key = tokenKey(opened.vault, id.toLowerCase())
    const known = await readDocument(opened, tokenIndex, key)
    const file = known && (await readDocument(opened, recordFiles, known.s))
    const assignee = await readDocument(opened, assignees, key)
    const who = accountOf(assignee)
    const lines = [
      ...(who === undefined ? [] : [`${traceOf(who)}  has it`]),
      ...(assignee?.before?.map((one) => `${traceOf(one)}  had it before`) ?? []),
      ...(file?.roadmap?.hands.flatMap(({ role, assignee: own }) => {
        const account = accountOf(own)
        return account === undefined ? [] : [`${traceOf(account)}  has role ${role}`]
      }) ?? []),
    ]
    const state = file?.state.stage ?? (assignee ? `nothing but that it is ${assignee.is}` : undefined)
    output.out(state === undefined ? 'nobody has opened it here' : `kept: ${state}`)
    for (const line of lines) output.out(line)
    if (state !== undefined && lines.length === 0) output.out('nobody has begun it')
    return 0
  } finally {
    await opened.store.close()
  }
}

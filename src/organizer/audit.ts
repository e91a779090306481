import type { Composer } from 'grammy'
import type { IncomingContext } from '../dialog/incoming.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { type Act, keptActs } from '../storage/documents/acts.ts'
import { enrolments } from '../storage/documents/enrolments.ts'
import { accountKey, accounts, tokenKey } from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'
import { auditView } from '../views/audit.ts'
import { buttons } from '../views/buttons.ts'

const MOST_ACTS = 50

/** The newest acts of organizers. */
export function audit(composer: Composer<IncomingContext>): void {
  composer.callbackQuery(buttons.audit.pattern, async ({ ctx }) => {
    const acts = await lastActs(ctx)
    await ctx.send(auditView(ctx.t, acts, await namesIn(ctx, acts)))
  })
}

async function lastActs({ deps, now }: UpdateContext): Promise<Act[]> {
  const acts: Act[] = []
  for await (const day of keptActs(deps, now)) {
    acts.push(...day.toReversed())
    if (acts.length >= MOST_ACTS) break
  }
  return acts.slice(0, MOST_ACTS)
}

/** The names of organizers by their Telegram ids, and the titles of records and roadmaps by their tokens. */
async function namesIn({ deps }: UpdateContext, acts: readonly Act[]) {
  const { vault } = deps
  const ids = [...new Set(acts.flatMap(({ by }) => by ?? []))]
  const tokens = [...new Set(acts.flatMap(({ token }) => token ?? []))]
  const known = ids.map((id) => accountKey(vault, id))
  const people = await readDocuments(deps, accounts, known)
  const begun = tokens.map((token) => tokenKey(vault, token))
  const titled = await readDocuments(deps, enrolments, begun)
  return {
    people: new Map(ids.map((id, at) => [id, people[at]?.calledAs ?? ''])),
    titles: new Map(tokens.map((token, at) => [token, titled[at]?.title ?? ''])),
  }
}

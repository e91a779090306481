import { clean } from '../domain/persian/clean.ts'
import { groups, keepGroup } from '../storage/documents/groups.ts'
import type { AsideTalk } from './aside-talk.ts'
import type { Aside } from './due.ts'
import { sendText } from './send.ts'

const LONGEST = 60

/** The group name in a text; `undefined` if the text is no valid name. */
export function groupNameIn(text: string): string | undefined {
  const name = clean(text)
  return name !== '' && [...name].length <= LONGEST ? name : undefined
}

/** A name for a group of invitations. */
export async function group(talk: AsideTalk<Extract<Aside, { ask: 'group' }>>): Promise<void> {
  const { id } = talk.about
  const { text = '' } = await talk.ask(({ t }) => t('group-name-ask', { letters: LONGEST }))
  const name = groupNameIn(text)
  if (name === undefined) return talk.again()
  await talk.outside(async (ctx) => {
    const known = await ctx.work.get(groups, id)
    if (!known) return sendText(ctx, 'group-gone')
    await keepGroup(ctx.work, id, { ...known, name })
    await sendText(ctx, 'group-named', { name })
  })
}

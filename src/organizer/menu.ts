import { type Api, Composer } from 'grammy'
import type { Config } from '../config.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import type { Texts } from '../texts/texts.ts'

/** Everybody's commands, in the order of the menu. */
export const COMMANDS = ['start', 'tests', 'language', 'help', 'privacy', 'forget', 'cancel'] as const
/** Those of organizers, first in their menu. */
const OWN_COMMANDS = ['records', 'roadmaps', 'invite', 'status', 'notices'] as const

type Deps = { texts: Texts; config: Pick<Config, 'locale'> }

/** Puts the commands of organizers into the menu of one chat. Rejects as long as nobody has begun that chat. */
export async function openMenu(api: Api, { texts, config }: Deps, chatId: number): Promise<void> {
  const scope = { type: 'chat', chat_id: chatId } as const
  for (const language of [undefined, ...LANGUAGE_CODES]) {
    const t = texts.for(language ?? config.locale)
    const commands = [...OWN_COMMANDS, ...COMMANDS].map((command) => ({
      command,
      description: t.plain(`command-${command}`),
    }))
    await api.setMyCommands(commands, { scope, ...(language && { language_code: language }) })
  }
}

/** Who is an organizer no more has everybody's menu again. */
async function closeMenu(api: Api, chatId: number): Promise<void> {
  const scope = { type: 'chat', chat_id: chatId } as const
  for (const language of [undefined, ...LANGUAGE_CODES])
    await api.deleteMyCommands({ scope, ...(language && { language_code: language }) })
}

/** Keeps the menu true: with `/start` of an organizer, and with a command that somebody has still from before. */
export function menu(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('start', async (incoming, next) => {
    const { ctx, api } = incoming
    if (isOrganizer(ctx)) await quietly(incoming, openMenu(api, ctx.deps, ctx.account.chatId))
    await next()
  })
  composer.command([...OWN_COMMANDS], async (incoming, next) => {
    const { ctx, api } = incoming
    if (!isOrganizer(ctx)) await quietly(incoming, closeMenu(api, ctx.account.chatId))
    await next()
  })
  return composer
}

/** A menu is nothing that anybody waits for. */
const quietly = ({ ctx }: IncomingContext, act: Promise<void>): Promise<void> =>
  act.catch((err: unknown) => ctx.deps.log.warn({ err }, 'menu not set'))

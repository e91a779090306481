import type { Api, Composer } from 'grammy'
import type { Config } from '../config.ts'
import { LANGUAGE_CODES, type Language } from '../texts/languages.ts'
import { shorten, type Texts, type Translate } from '../texts/texts.ts'
import type { IncomingContext } from './incoming.ts'
import { isOrganizer } from './organizer.ts'
import type { UpdateContext } from './update-context.ts'

/** The commands for all accounts, in the order of the menu. */
export const COMMANDS = [
  'start',
  'tests',
  'settings',
  'help',
  'privacy',
  'mydata',
  'forget',
  'cancel',
] as const
/** The commands for organizers, first in their menu. */
const OWN_COMMANDS = ['records', 'roadmaps', 'invite', 'status', 'notices'] as const

/** The commands of this chat. `/id` is for a future organizer, and in no menu. */
export const commandsOf = (ctx: UpdateContext): string[] => [
  ...COMMANDS,
  'id',
  ...(isOrganizer(ctx) ? OWN_COMMANDS : []),
]

type Deps = { texts: Texts; config: Pick<Config, 'locale'> }
type IntroductionDeps = { api: Api; texts: Texts; config: Config }

/** Calls Telegram once for every language, and once for the default, which is `LOCALE`. */
async function inEveryLanguage(
  { texts, config }: Deps,
  call: (t: Translate, scope: { language_code?: Language }) => Promise<unknown>,
): Promise<void> {
  for (const language of [undefined, ...LANGUAGE_CODES])
    await call(texts.for(language ?? config.locale), language ? { language_code: language } : {})
}

export const menuOf = (t: Translate, commands: readonly (typeof COMMANDS | typeof OWN_COMMANDS)[number][]) =>
  commands.map((command) => ({ command, description: t.plain(`command-${command}`) }))

const ofChat = (chatId: number) => ({ scope: { type: 'chat', chat_id: chatId } }) as const

/** Puts the organizers' commands into one chat's menu. Rejects while that chat does not exist. */
const openMenu = (api: Api, deps: Deps, chatId: number): Promise<void> =>
  inEveryLanguage(deps, (t, how) =>
    api.setMyCommands(menuOf(t, [...OWN_COMMANDS, ...COMMANDS]), { ...ofChat(chatId), ...how }),
  )

/** Updates the menu: at an organizer's `/start`, and at a command that a former organizer still has. */
export function menu(composer: Composer<IncomingContext>): void {
  composer.command('start', async (incoming, next) => {
    const { ctx, api } = incoming
    if (isOrganizer(ctx)) await quietly(incoming, openMenu(api, ctx.deps, ctx.account.chatId))
    await next()
  })
  composer.command([...OWN_COMMANDS], async (incoming, next) => {
    const { ctx, api } = incoming
    const chat = ofChat(ctx.account.chatId)
    // Former organizers get the common menu again.
    const close = () => inEveryLanguage(ctx.deps, (_, how) => api.deleteMyCommands({ ...chat, ...how }))
    if (!isOrganizer(ctx)) await quietly(incoming, close())
    await next()
  })
}

/** A failure is only logged, because nothing depends on a menu. */
const quietly = ({ ctx }: IncomingContext, act: Promise<void>): Promise<void> =>
  act.catch((err: unknown) => ctx.deps.log.warn({ err }, 'menu not set'))

/** Sends Telegram the commands and the descriptions of the bot, in every language. */
export async function introduceBot({ api, ...deps }: IntroductionDeps): Promise<void> {
  await inEveryLanguage(deps, async (t, how) => {
    await api.setMyCommands(menuOf(t, COMMANDS), how)
    await api.setMyDescription(shorten(t.plain('bot-description'), 512), how)
    await api.setMyShortDescription(shorten(t.plain('bot-short-description'), 120), how)
  })
  // An organizer who has never written to the bot has no chat yet. Their first /start sets the menu.
  for (const chatId of deps.config.organizers) await openMenu(api, deps, chatId).catch(() => undefined)
}

import type { Api, Composer } from 'grammy'
import type { Config } from '../config.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { LANGUAGE_CODES, type Language } from '../texts/languages.ts'
import { shorten, type Texts, type Translate } from '../texts/texts.ts'

/** Everybody's commands, in the order of the menu. */
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
/** Those of organizers, first in their menu. */
const OWN_COMMANDS = ['records', 'roadmaps', 'invite', 'status', 'notices'] as const

/** What this chat may write; `/id` is for who is going to be an organizer, and in no menu. */
export const commandsOf = (ctx: UpdateContext): string[] => [
  ...COMMANDS,
  'id',
  ...(isOrganizer(ctx) ? OWN_COMMANDS : []),
]

type Deps = { texts: Texts; config: Pick<Config, 'locale'> }
type IntroductionDeps = { api: Api; texts: Texts; config: Config }

/** Tells Telegram something in every language; the default is `LOCALE`. */
async function inEveryLanguage(
  { texts, config }: Deps,
  tell: (t: Translate, scope: { language_code?: Language }) => Promise<unknown>,
): Promise<void> {
  for (const language of [undefined, ...LANGUAGE_CODES])
    await tell(texts.for(language ?? config.locale), language ? { language_code: language } : {})
}

export const menuOf = (t: Translate, commands: readonly (typeof COMMANDS | typeof OWN_COMMANDS)[number][]) =>
  commands.map((command) => ({ command, description: t.plain(`command-${command}`) }))

const ofChat = (chatId: number) => ({ scope: { type: 'chat', chat_id: chatId } }) as const

/** Puts the commands of organizers into the menu of one chat. Rejects as long as nobody has begun that chat. */
const openMenu = (api: Api, deps: Deps, chatId: number): Promise<void> =>
  inEveryLanguage(deps, (t, how) =>
    api.setMyCommands(menuOf(t, [...OWN_COMMANDS, ...COMMANDS]), { ...ofChat(chatId), ...how }),
  )

/** Keeps the menu true: with `/start` of an organizer, and with a command that somebody has still from before. */
export function menu(composer: Composer<IncomingContext>): void {
  composer.command('start', async (incoming, next) => {
    const { ctx, api } = incoming
    if (isOrganizer(ctx)) await quietly(incoming, openMenu(api, ctx.deps, ctx.account.chatId))
    await next()
  })
  composer.command([...OWN_COMMANDS], async (incoming, next) => {
    const { ctx, api } = incoming
    const chat = ofChat(ctx.account.chatId)
    // Former organizers have everybody's menu again.
    const close = () => inEveryLanguage(ctx.deps, (_, how) => api.deleteMyCommands({ ...chat, ...how }))
    if (!isOrganizer(ctx)) await quietly(incoming, close())
    await next()
  })
}

/** A menu is nothing that anybody waits for. */
const quietly = ({ ctx }: IncomingContext, act: Promise<void>): Promise<void> =>
  act.catch((err: unknown) => ctx.deps.log.warn({ err }, 'menu not set'))

/** Tells Telegram the commands and what the bot is for, in every language. */
export async function introduceBot({ api, ...deps }: IntroductionDeps): Promise<void> {
  await inEveryLanguage(deps, async (t, how) => {
    await api.setMyCommands(menuOf(t, COMMANDS), how)
    await api.setMyDescription(shorten(t.plain('bot-description'), 512), how)
    await api.setMyShortDescription(shorten(t.plain('bot-short-description'), 120), how)
  })
  // Who has never written to the bot has no chat yet; their first /start opens it.
  for (const chatId of deps.config.organizers) await openMenu(api, deps, chatId).catch(() => undefined)
}

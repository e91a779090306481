import type { Api } from 'grammy'
import type { Config } from '../config.ts'
import { COMMANDS, inEveryLanguage, menuOf, openMenu } from '../organizer/menu.ts'
import { shorten, type Texts } from '../texts/texts.ts'

type Deps = { api: Api; texts: Texts; config: Config }

/** Tells Telegram the commands and what the bot is for, in every language. */
export async function introduceBot({ api, ...deps }: Deps): Promise<void> {
  const { organizerName: organizer, organizers } = deps.config
  await inEveryLanguage(deps, async (t, how) => {
    await api.setMyCommands(menuOf(t, COMMANDS), how)
    await api.setMyDescription(shorten(t.plain('bot-description', { organizer }), 512), how)
    await api.setMyShortDescription(shorten(t.plain('bot-short-description', { organizer }), 120), how)
  })
  // Who has never written to the bot has no chat yet; their first /start opens it.
  for (const chatId of organizers) await openMenu(api, deps, chatId).catch(() => undefined)
}

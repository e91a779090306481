import type { Api } from 'grammy'
import type { Config } from '../config.ts'
import { COMMANDS, openMenu } from '../organizer/menu.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import { shorten } from '../texts/shorten.ts'
import type { Texts } from '../texts/texts.ts'

/** Tells Telegram the commands and what the bot is for, in every language; the default is `LOCALE`. */
export async function introduceBot({
  api,
  texts,
  config,
}: {
  api: Api
  texts: Texts
  config: Config
}): Promise<void> {
  const organizer = config.organizerName
  for (const language of [undefined, ...LANGUAGE_CODES]) {
    const t = texts.for(language ?? config.locale)
    const scope = language ? { language_code: language } : {}
    const commands = COMMANDS.map((command) => ({ command, description: t.plain(`command-${command}`) }))
    await api.setMyCommands(commands, scope)
    await api.setMyDescription(shorten(t.plain('bot-description', { organizer }), 512), scope)
    await api.setMyShortDescription(shorten(t.plain('bot-short-description', { organizer }), 120), scope)
  } // Who has never written to the bot has no chat yet; their first /start opens it.
  for (const chatId of config.organizers)
    await openMenu(api, { texts, config }, chatId).catch(() => undefined)
}

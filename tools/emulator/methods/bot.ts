import { codePoints } from '../clean-text.ts'
import { MAX_DOWNLOAD } from '../file-shelf.ts'
import type { MethodTable, Parts } from '../parts.ts'
import { badRequest } from '../refusal.ts'
import { visibleChat } from '../target-chat.ts'
import { botUser } from '../world.ts'

/** getMe, getChat, getFile, answerCallbackQuery, close, logOut. */
export function botMethods({ world, files, callbacks }: Parts): MethodTable {
  return {
    getMe: () => ({
      ...botUser(world),
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
    }),
    getChat: (args) => ({ ...visibleChat(world, args), accent_color_id: 0, max_reaction_count: 11 }),
    getFile(args) {
      const file = files.byId(args.text('file_id'))
      if (!file) throw badRequest('invalid file_id')
      if (file.size > MAX_DOWNLOAD) throw badRequest('file is too big')
      return {
        file_id: file.fileId,
        file_unique_id: file.uniqueId,
        file_size: file.size,
        file_path: file.path,
      }
    },
    answerCallbackQuery(args) {
      const { text, flag } = args
      callbacks.answer(text('callback_query_id'), text('text'), flag('show_alert'), text('url'))
      return true
    },
    close: () => true,
    logOut: () => true,
  }
}

/** setMyDescription, setMyShortDescription, setChatMenuButton. */
export function profileMethods({ world }: Parts): MethodTable {
  const { state } = world

  function describe(texts: Record<string, string>, text: string, max: number, language: string): true {
    if (codePoints(text) > max) throw badRequest('DESCRIPTION_TOO_LONG')
    if (text === '') delete texts[language]
    else texts[language] = text
    world.changed()
    return true
  }

  return {
    setMyDescription: ({ text }) =>
      describe(state.descriptions, text('description'), 512, text('language_code')),
    setMyShortDescription: ({ text }) =>
      describe(state.shortDescriptions, text('short_description'), 120, text('language_code')),
    setChatMenuButton(args) {
      if (args.text('chat_id') !== '') visibleChat(world, args)
      return true
    },
  }
}

import { type Api, InlineQueryResultBuilder } from 'grammy'
import type { InlineQuery } from 'grammy/types'
import type { Config } from '../config.ts'
import { parsePayload } from '../domain/invitation.ts'
import type { Texts } from '../texts/texts.ts'

/** Where inline mode is on, an organizer's button puts an invitation into any chat; anybody else is offered nothing. */
export function createInlineInvitations(deps: {
  api: Pick<Api, 'answerInlineQuery'>
  config: Pick<Config, 'organizers' | 'locale'>
  texts: Texts
  username: () => string
}) {
  const { api, config, texts, username } = deps
  return async ({ id, from, query }: InlineQuery): Promise<void> => {
    const invitation = config.organizers.includes(from.id) ? parsePayload(query.trim()) : undefined
    const t = texts.for(config.locale)
    const offered =
      invitation?.kind === 'code'
        ? [
            InlineQueryResultBuilder.article(invitation.code, t.plain('share-inline-title')).text(
              t('share-inline', { link: `https://t.me/${username()}?start=i_${invitation.code}` }),
              { parse_mode: 'HTML', link_preview_options: { is_disabled: true } },
            ),
          ]
        : []
    await api.answerInlineQuery(id, offered, { cache_time: 0, is_personal: true })
  }
}

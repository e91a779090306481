import { type Api, InlineQueryResultBuilder } from 'grammy'
import type { InlineQuery, InlineQueryResult } from 'grammy/types'
import type { Config } from '../config.ts'
import { linkTo, parsePayload } from '../domain/invitation.ts'
import type { Texts } from '../texts/texts.ts'
import { sharedReportId } from '../views/result.ts'

/**
 * In inline mode a button puts an organizer's invitation, or a participant's own report, into any chat; all
 * others are offered nothing. Only the account that received a report knows Telegram's id of it.
 */
export function createInlineOffers(deps: {
  api: Pick<Api, 'answerInlineQuery'>
  config: Pick<Config, 'organizers' | 'locale'>
  texts: Texts
  username: () => string
}) {
  const { api, config, texts, username } = deps
  const t = texts.for(config.locale)

  function offered(asker: number, query: string): InlineQueryResult[] {
    const fileId = sharedReportId(query)
    if (fileId !== undefined)
      return [InlineQueryResultBuilder.documentCached('report', t.plain('report-inline-title'), fileId)]
    const invitation = config.organizers.includes(asker) ? parsePayload(query) : undefined
    if (invitation?.kind !== 'code') return []
    const link = linkTo(username(), `i_${invitation.code}`)
    return [
      InlineQueryResultBuilder.article(invitation.code, t.plain('share-inline-title')).text(
        t('share-inline', { link }),
        { parse_mode: 'HTML', link_preview_options: { is_disabled: true } },
      ),
    ]
  }

  return async ({ id, from, query }: InlineQuery): Promise<void> => {
    await api.answerInlineQuery(id, offered(from.id, query.trim()), { cache_time: 0, is_personal: true })
  }
}

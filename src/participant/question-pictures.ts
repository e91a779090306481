import { InputFile } from 'grammy'
import type { UpdateContext } from '../dialog/update-context.ts'
import { type PlacedQuestion, picturesOf } from '../domain/questionnaire.ts'
import { pictures } from '../storage/documents/kinds.ts'

/**
 * Sends the pictures of a question before it, once for as long as it is shown, and takes those of another question
 * away. Those of a section are sent once, and stay. `true` when something was sent.
 */
export async function showPictures(ctx: UpdateContext, s: string, position: number, placed?: PlacedQuestion) {
  const { account, work, t } = ctx
  const shown = account.pictures?.[s]
  if (shown?.position === position) return false
  const own = placed ? picturesOf(placed.question) : []
  const sections = shown?.sections ?? []
  const ofSection = sections.includes(position) ? [] : (placed?.sectionPictures ?? [])
  if (shown) await ctx.deleteMessages(shown.messages)
  delete account.pictures?.[s]

  async function send(name: string, caption: string): Promise<number[]> {
    const kept = await work.get(pictures, name)
    const file = kept && new InputFile(Buffer.from(kept.base64, 'base64'), 'picture.png')
    const messageId = file && (await ctx.sendPhoto(file, caption, { protect: true }))
    return messageId === undefined ? [] : [messageId]
  }
  for (const name of ofSection) await send(name, '')
  const messages: number[] = []
  for (const { picture, option } of own) {
    const caption = option === undefined ? '' : t('option-number', { number: option + 1 })
    messages.push(...(await send(picture, caption)))
  }
  const sent = ofSection.length > 0 ? [...sections, position] : sections
  const known = { position, messages, ...(sent.length > 0 && { sections: sent }) }
  if (own.length + sent.length > 0) account.pictures = { ...account.pictures, [s]: known }
  return own.length + ofSection.length > 0
}

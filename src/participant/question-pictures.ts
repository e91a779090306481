import { InputFile } from 'grammy'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Account } from '../domain/account.ts'
import { type PlacedQuestion, picturesOf } from '../domain/questionnaire.ts'
import { pictures } from '../storage/documents/kinds.ts'

/**
 * Sends the pictures of a question before it, once for as long as it is shown, and takes those of another question
 * away. Those of a section are sent once, and stay. `true` when something was sent.
 */
export async function showPictures(
  ctx: UpdateContext,
  s: string,
  placed: PlacedQuestion | undefined,
  position: number,
): Promise<boolean> {
  const { account, work, t } = ctx
  const shown = account.pictures?.[s]
  if (shown?.position === position) return false
  const own = placed ? picturesOf(placed.question) : []
  const sections = shown?.sections ?? []
  const ofSection = sections.includes(position) ? [] : (placed?.sectionPictures ?? [])
  if (shown) await ctx.deleteMessages(shown.messages)
  if (own.length + ofSection.length === 0) {
    if (shown) forgetShown(account, s)
    if (sections.length > 0)
      account.pictures = { ...account.pictures, [s]: { position, messages: [], sections } }
    return false
  }

  async function send(name: string, caption: string): Promise<number[]> {
    const kept = await work.get(pictures, name)
    const messageId = kept && (await ctx.sendPhoto(pictureOf(kept.base64), caption, { protect: true }))
    return messageId === undefined ? [] : [messageId]
  }
  for (const name of ofSection) await send(name, '')
  const messages: number[] = []
  for (const { picture, option } of own)
    messages.push(
      ...(await send(picture, option === undefined ? '' : t('option-number', { number: option + 1 }))),
    )
  const sent = ofSection.length > 0 ? [...sections, position] : sections
  const known = { position, messages, ...(sent.length > 0 && { sections: sent }) }
  account.pictures = { ...account.pictures, [s]: known }
  return true
}

/** What was shown of pictures counts no more: the test begins anew. */
export function forgetShown(account: Account, s: string): void {
  const { [s]: _, ...others } = account.pictures ?? {}
  account.pictures = others
}

const pictureOf = (base64: string): InputFile => new InputFile(Buffer.from(base64, 'base64'), 'picture.png')

import type { Translate } from '../texts/texts.ts'
import type { Button } from './view.ts'

/** Telegram's own page for sending a link to a chat. */
export const shareButton = (t: Translate, link: string, text: string): Button => ({
  text: t.plain('button-share'),
  url: `https://t.me/share/url?url=${encodeURIComponent(link)}&text=${encodeURIComponent(text)}`,
})

/** Puts a link where it can be pasted from. */
export const copyButton = (t: Translate, link: string): Button => ({
  text: t.plain('button-copy-link'),
  copy_text: { text: link },
})

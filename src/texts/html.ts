/** Text that is Telegram HTML already, so that it is put into another text as it stands. */
export type Html = { readonly html: string }

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Bidi marks, embeddings and isolates; not ZWNJ, which Persian needs. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Marks trusted HTML (usually another text) as such. */
export function raw(html: string): Html {
  return { html }
}

/** Makes foreign text harmless inside a message: escaped for Telegram's HTML, without bidi controls. */
export function escapeHtml(text: string): string {
  return withoutBidi(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The words of an HTML text, for places that show no HTML: toasts, button labels, file names. */
export function plain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** The text without bidi controls: a name or title may not turn the line around it. */
function withoutBidi(text: string): string {
  return text.replace(BIDI_CONTROLS, '')
}

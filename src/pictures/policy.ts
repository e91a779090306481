/** The file cannot load or send anything. Its own styles and embedded pictures are shown. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"
const HEAD = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta charset="utf-8">`
const ON_PHONES = '<meta name="viewport" content="width=device-width, initial-scale=1">'
/** The policy comes right after the doctype: behind an element it would not be in the head. */
const DOCTYPE = /^\uFEFF?\s*(?:<!doctype[^>]*>)?/i
const LONGEST_DOCTYPE = 1_000
/** A policy stops neither a page that navigates away with its data, nor a look-up of a name. */
const LEAVING = /<(?:meta|link)(?=[\s/>])/gi

/** The service's report as a separate file: the policy comes before everything that it forbids. */
export function underPolicy(html: string): string {
  const at = DOCTYPE.exec(html.slice(0, LONGEST_DOCTYPE))?.[0].length ?? 0
  const head = /<meta[^>]{1,200}viewport/i.test(html) ? HEAD + ON_PHONES : HEAD
  // An element that may be in a head, and does nothing.
  return html.slice(0, at) + head + html.slice(at).replace(LEAVING, '<basefont')
}

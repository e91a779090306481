/** Nothing of the file can load or send anything; its own styles and embedded pictures are shown. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"
const HEAD = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta charset="utf-8">`
const ON_PHONES = '<meta name="viewport" content="width=device-width, initial-scale=1">'
/** Before it there may be no element, or it would not stand in the head. */
const DOCTYPE = /^\uFEFF?\s*(?:<!doctype[^>]*>)?/i
const LONGEST_DOCTYPE = 1_000
/** What no policy stops: a page that leaves by itself with what it holds, a name that is looked up. */
const LEAVING = /<(?:meta|link)(?=[\s/>])/gi

/** The service's report as a file of its own: the policy comes before everything that it could forbid. */
export function underPolicy(html: string): string {
  const at = DOCTYPE.exec(html.slice(0, LONGEST_DOCTYPE))?.[0].length ?? 0
  const head = /<meta[^>]{1,200}viewport/i.test(html) ? HEAD + ON_PHONES : HEAD
  // An element that stands in a head as well, and does nothing.
  return html.slice(0, at) + head + html.slice(at).replace(LEAVING, '<basefont')
}

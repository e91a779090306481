/** Nothing of the file can load or send anything; its own styles and embedded pictures are shown. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'"
const META = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`
/** Before it there may be no element, or it would not stand in the head. */
const DOCTYPE = /^\uFEFF?\s*(?:<!doctype[^>]*>)?/i
const LONGEST_DOCTYPE = 1_000

/** The service's report as a file of its own: the policy comes before everything that it could forbid. */
export function underPolicy(html: string): string {
  const at = DOCTYPE.exec(html.slice(0, LONGEST_DOCTYPE))?.[0].length ?? 0
  return html.slice(0, at) + META + html.slice(at)
}

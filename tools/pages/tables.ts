/** The place of a list in a page, by its name. */
const between = (name: string) => new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`)

/** The page with lists made from the current settings and rules. */
export function withLists(page: string, lists: Readonly<Record<string, string>>): string {
  return Object.entries(lists).reduce((text, [name, list]) => {
    if (!between(name).test(text)) throw new Error(`the page has no place for ${name}`)
    return text.replace(between(name), (_, begin: string, end: string) => `${begin}${list}\n${end}`)
  }, page)
}

/** Every setting of `config.ts` with its default, in the sections of `.env.example`, which explains each. */
export function settingsList(names: readonly string[], example: string): string {
  const sections = example.split(/^# --- (.+?) -+$/m).slice(1)
  const lines: string[] = []
  const found = new Set<string>()
  for (let at = 0; at < sections.length; at += 2) {
    const set = [...(sections[at + 1] ?? '').matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)]
    const own = set.filter(([, name = '']) => names.includes(name))
    for (const [, name = ''] of own) found.add(name)
    const shown = own.map(([, name, value]) => `\`${name}${value ? `=${value}` : ''}\``)
    if (shown.length > 0) lines.push(`- ${sections[at]}: ${shown.join(', ')}`)
  }
  const missing = names.filter((name) => !found.has(name))
  if (missing.length > 0) throw new Error(`.env.example does not explain ${missing.join(', ')}`)
  return lines.join('\n')
}

const RULE = /- alert: (\w+)\n.+\n +for: (\w+)\n.+\n +severity: (\w+)\n.+\n +summary: '(.+)'\n/g

const URGENCIES = { page: 'At any hour', warn: 'In the morning' } as const

/** Every alert of the rules, by its urgency: how long until it fires, and its summary. */
export function alertsList(rules: string): string {
  const alerts = [...rules.matchAll(RULE)].map(([, name, term, severity, summary]) => ({
    severity,
    line: `- \`${name}\` (${term}): ${summary}`,
  }))
  const groups = Object.entries(URGENCIES).map(([severity, when]) => {
    const lines = alerts.flatMap((alert) => (alert.severity === severity ? alert.line : []))
    return [`${when}:`, '', ...lines].join('\n')
  })
  return groups.join('\n\n')
}

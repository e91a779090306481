import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
/** The first word of a shell command. */
const PROGRAM = /^(npm|npx|porsa|docker|git|openssl|curl|cp|jq|sudo|node|promtool|redis-cli|systemctl) \S/

/** The pages with commands for people; the changelog is about past versions. */
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'tools/sandbox/README.md'],
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Every command as the pages write it, without a comment behind it, in reading order. */
export function commandsOfPages(): string[] {
  const found = pages.flatMap((page) => {
    const text = readFileSync(new URL(page, root), 'utf8')
    // In shell blocks every line; elsewhere each code span that begins like a command.
    return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$|`([^`\n]+)`/gm)].flatMap(([, kind, block, span]) => {
      if (block !== undefined) return kind === 'sh' ? block.trim().split('\n') : []
      return PROGRAM.test(span ?? '') ? [span ?? ''] : []
    })
  })
  return [...new Set(found.map((line) => line.replace(/\s+# .*$/, '')))]
}

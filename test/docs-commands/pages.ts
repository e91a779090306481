import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
/** What a command of a shell begins with. */
const PROGRAM = /^(npm|npx|porsa|docker|git|openssl|curl|cp|jq|sudo|node|promtool|redis-cli|systemctl) \S/

/** The pages that tell people what to type; the changelog tells of versions that were. */
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'tools/sandbox/README.md'],
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Every command of the pages as it stands there, without the comment behind it, in the order in which one reads them. */
export function commandsOfPages(): string[] {
  const found = pages.flatMap((page) => {
    const text = readFileSync(new URL(page, root), 'utf8')
    // Blocks of a shell line by line; of everything else what is set as code and begins as a command does.
    return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$|`([^`\n]+)`/gm)].flatMap(([, kind, block, span]) => {
      if (block !== undefined) return kind === 'sh' ? block.trim().split('\n') : []
      return PROGRAM.test(span ?? '') ? [span ?? ''] : []
    })
  })
  return [...new Set(found.map((line) => line.replace(/\s+# .*$/, '')))]
}

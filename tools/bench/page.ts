import { availableParallelism, cpus } from 'node:os'
import { readVersion } from '../../src/observe/version.ts'
import { inShort, type Table } from './table.ts'

/** The whole of docs/benchmarks.md: every figure with its goal in brackets, and the machine that it was measured on. */
export function pageOf(tables: readonly Table[]): string {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`
  const date = new Date().toISOString().slice(0, 10)
  return `# Benchmarks

Written by \`npm run bench -- --write\`; \`npm run bench -- answers webhook\` measures parts, explains them and writes nothing,
\`--short\` takes few rounds. It needs \`redis-server\` and a quiet machine. Figures of ${date}: Porsa ${readVersion()}, Node
${process.versions.node}, ${machine}. Goals stand in brackets. Ratios compare contenders of one run, medians of its rounds.

F0 is an answer without any framework: one script of Redis (or one transaction of SQLite) and two raw calls over undici, in the
process or behind Node's own server. [Decision 19](decisions.md#19-what-an-answer-costs) says what makes the difference.

${tables.map(sectionOf).join('\n')}`
}

function sectionOf({ title, rows, skipped }: Table): string {
  if (skipped) return `## ${title}\n\nNot measured: ${skipped}.\n`
  return `## ${title}\n\n${rows.map((row) => `- ${inShort(row)}\n`).join('')}`
}

import { availableParallelism, cpus } from 'node:os'
import { readVersion } from '../../src/observe/version.ts'
import { inShort, type Table } from './table.ts'

/** The text of docs/benchmarks.md: every figure that has a goal, and the machine it was measured on. */
export function pageOf(tables: readonly Table[]): string {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`
  const date = new Date().toISOString().slice(0, 10)
  return `# Benchmarks

Written by \`npm run bench -- --write\`, which needs \`redis-server\` and a quiet machine; \`npm run bench -- answers webhook\` only
measures these parts, and says what is what. ${date}: Porsa ${readVersion()}, Node ${process.versions.node}, ${machine}. Goals in
brackets; ratios are medians of rounds. F0 is an answer without a framework: one script of Redis or one transaction of SQLite, and
two raw calls ([decision 19](decisions.md#19-what-an-answer-costs)).

${tables.map(sectionOf).join('\n')}`
}

function sectionOf({ title, rows, skipped }: Table): string {
  if (skipped) return `## ${title}\n\nNot measured: ${skipped}.\n`
  return `## ${title}\n\n${rows
    .filter(({ goal }) => goal)
    .map((row) => `- ${inShort(row)}\n`)
    .join('')}`
}

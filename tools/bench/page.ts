import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os'
import { readVersion } from '../../src/observe/version.ts'

/** The whole of docs/benchmarks.md, with the machine that it was measured on. */
export function pageOf(tables: readonly string[], minutes: number): string {
  const processor = cpus()[0]?.model.trim() ?? 'unknown'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `# Benchmarks

Written by \`npm run bench\`; what is written here by hand is lost at the next run.

| | |
| --- | --- |
| date | ${new Date().toISOString().slice(0, 10)} |
| Porsa | ${readVersion()} |
| Node | ${process.version} |
| processor | ${processor}, ${availableParallelism()} cores, ${memory} |
| system | ${platform()} ${release()}, ${arch()} |
| took | ${Math.round(minutes)} minutes |

**To repeat it**: \`npm ci && npm run bench\`, with \`redis-server\` installed and nothing else to do for the machine. \`npm run bench --
answers budget\` measures these parts alone and only prints them; \`--short\` tries them in a few rounds whose figures say little.

**How to read it.** A ratio compares contenders of one run: in each round all of them have their turn, another one begins, and the
round gives one ratio; what is shown is the median of the rounds with the middle half of them in brackets. So a machine that is
busy for a while slows all of them, and does not decide. Times and memory are those of this machine. Everything that is compared with
runs here too: Telegram (a process that says yes), Redis (as docker-compose.yml runs it), whoever sends the taps.
Where a goal is missed, [decisions.md](decisions.md#19-what-an-answer-costs) says what was tried.

${tables.join('\n')}`
}

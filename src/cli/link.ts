import { terminal } from './output.ts'
import { runLink } from './run-link.ts'

process.exitCode = await runLink(process.argv.slice(2), process.env, terminal)

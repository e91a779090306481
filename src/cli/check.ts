import { terminal } from './output.ts'
import { runCheck } from './run-check.ts'

process.exitCode = await runCheck(process.env, terminal)

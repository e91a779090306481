import { readEnvironment } from '../environment.ts'
import { orInWords, terminal } from './output.ts'
import { runCheck } from './run-check.ts'

process.exitCode = await orInWords(terminal, () =>
  runCheck(readEnvironment(process.argv.slice(2), process.env).env, terminal),
)

import { readEnvironment } from '../environment.ts'
import { orInWords, terminal } from './output.ts'
import { runLink } from './run-link.ts'

process.exitCode = await orInWords(terminal, () => {
  const { args, env } = readEnvironment(process.argv.slice(2), process.env)
  return runLink(args, env, terminal)
})

#!/usr/bin/env node
import { EXIT } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'
import { porsa } from './commands.ts'
import { terminal } from './output.ts'

const [, , ...argv] = process.argv
// Node reports nothing if a full disk or a closed pipe refuses the output. The bot logs in another way.
if (argv[0] !== 'start')
  process.stdout.once('error', (error) => {
    terminal.err(`the output cannot be written (${errorCode(error)})`)
    process.exitCode = EXIT.wrong
  })
const code = await porsa(argv, process.env, terminal)
if (code !== undefined) process.exitCode ||= code

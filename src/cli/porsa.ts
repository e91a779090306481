#!/usr/bin/env node
import { porsa } from './commands.ts'
import { terminal } from './output.ts'

const code = await porsa(process.argv.slice(2), process.env, terminal)
if (code !== undefined) process.exitCode = code

import { start } from './start.ts'

void start(process.env)

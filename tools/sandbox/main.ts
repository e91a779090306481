import { runSandbox } from './command.ts'

/** `npm run sandbox`: the service alone, on loopback; it keeps its state in memory only. */
const sandbox = await runSandbox({ env: process.env, print: console.log, complain: console.error })
if (sandbox) {
  const stop = () => void sandbox.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
} else process.exitCode = 1

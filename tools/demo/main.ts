import { startDemo } from './server.ts'
import { readSettings } from './settings.ts'

/** `npm run demo`: everything on one machine, without a token, a key or a network. */
async function main(): Promise<void> {
  const settings = readSettings(process.env, process.argv.slice(2))
  if ('problems' in settings) {
    console.error(settings.problems.join('\n'))
    process.exitCode = 1
    return
  }
  const starting = startDemo({
    ...settings,
    isLivedIn: true,
    botEntry: new URL('../../dist/main.js', import.meta.url),
    onBotExit: ({ code, signal, restartInMs }) =>
      console.log(
        restartInMs === undefined
          ? `The bot ended at its start again and again (${signal ?? code}) and is left alone; why, it has said above.`
          : `The bot ended (${signal ?? code}); it starts again in ${Math.ceil(restartInMs / 1000)} s.`,
      ),
    onWriteFailure: (code) =>
      console.error(`DATA_DIR cannot be written (${code}): until it can, a kill loses what happens now.`),
  })
  // Before the demo prints its address.
  let isClosing = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isClosing) process.exit(1)
      isClosing = true
      void starting.then((demo) => demo.close())
    })
  }
  const demo = await starting

  console.log(`\nPorsa, the demo: an emulated Telegram and samples only, on this machine.\n\n  ${demo.url}\n`)
  for (const { kind, title, payload } of demo.invitations) {
    console.log(`  ${title} · ${kind}\n    ${demo.url}/?start=${payload}`)
  }
  console.log(
    `\nThe sandbox of the testing service: ${demo.serviceUrl}. The bot is process ${demo.bot?.pid}.`,
  )
  console.log(`Kept in ${settings.dataDir}; --fresh begins anew. Ctrl+C ends it.`)
}

main().catch((error: NodeJS.ErrnoException) => {
  const reason = error.code === 'EADDRINUSE' ? 'the port is taken; set PORT to another one' : error.message
  console.error(`The demo could not start: ${reason}`)
  process.exit(1)
})

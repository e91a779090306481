import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { madeOnce } from '../made-once.ts'
import { createChance } from '../random.ts'
import { createSurroundings } from '../surroundings.ts'
import { createBotProcess } from './bot-process.ts'
import { createParticipant } from './participant.ts'

/** The bot in one compiled file: it starts in a third of the time, which counts where it is killed often. */
export async function bundledBot(): Promise<URL> {
  const programIn = (folder: string) => join(folder, 'from-cache.cjs')
  const folder = await madeOnce('bot', async (outDir) => {
    await bundleInto(outDir)
    await copyFile(fileURLToPath(new URL('from-cache.cjs', import.meta.url)), programIn(outDir))
    await liveOnce(pathToFileURL(programIn(outDir)))
  })
  return pathToFileURL(programIn(folder))
}

async function bundleInto(outDir: string): Promise<void> {
  // Imported here, since loading it takes longer than bundling.
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: 'src/main.ts',
      outDir,
      // One file also for late imports: a second file would import the first and run it again.
      rollupOptions: {
        output: {
          format: 'cjs',
          entryFileNames: 'main.cjs',
          codeSplitting: false,
          // One letter beyond ASCII doubles what V8 has to read.
          comments: false,
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
        },
      },
    },
    // Prebuilt binaries are found relative to their package.
    ssr: { noExternal: true, external: ['@resvg/resvg-js', '@photostructure/sqlite'] },
  })
}

/** A life that fills the compile cache: a person goes from the link to the result. */
async function liveOnce(program: URL): Promise<void> {
  const { env, emulator, sandbox, close } = await createSurroundings({}, Date.now)
  const bot = createBotProcess(program, env)
  bot.start()
  const explain = () => bot.output.stdout + bot.output.stderr
  const token = sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: true })
  const person = emulator.person()
  const zahra = createParticipant({ sandbox, person, token, explain, chance: createChance(1) })
  await zahra.opens()
  await zahra.goesOnUntil(() => zahra.result.documents > 0)
  await bot.stop()
  await close()
}

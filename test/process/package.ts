import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeOnce } from '../made-once.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** What programs in `dist` read beside it. */
const beside = ['locales', 'node_modules', 'package.json', 'src'] as const

/** The folder of a package, as after `npm run build`. */
export function builtPackage(): Promise<string> {
  return madeOnce('package', async (folder) => {
    // Imported here, since loading it takes longer than building.
    const { build } = await import('vite')
    const outDir = join(folder, 'dist')
    await build({ configFile: join(root, 'build.config.ts'), build: { outDir } })
    await linkTo(folder, beside)
  })
}

/** The folder of the tools, as after `npm run tools`, with the bot's package beside them. */
export function builtTools(): Promise<string> {
  return madeOnce('tools', async (folder) => {
    const { build } = await import('vite')
    const outDir = join(folder, 'dist-tools/programs')
    await build({ configFile: join(root, 'tools/vite.config.ts'), build: { outDir } })
    await linkTo(folder, [...beside, 'tools'])
    await symlink(join(await builtPackage(), 'dist'), join(folder, 'dist'))
  })
}

/** Puts such a package into a folder, with one thing missing. */
export async function layPackage(folder: string, { without }: { without: (typeof beside)[number] }) {
  await cp(join(await builtPackage(), 'dist'), join(folder, 'dist'), { recursive: true })
  await linkTo(
    folder,
    beside.filter((name) => name !== without),
  )
}

async function linkTo(folder: string, names: readonly string[]) {
  for (const name of names) await symlink(join(root, name), join(folder, name))
}

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The commits of versions that share a store with this one. `upgrade` is the last release: all its processes end before
 * this version starts. Processes of `beside` run at the same time, and both versions take over jobs from each other.
 */
const COMMITS = {
  upgrade: '1c54e4d9',
  beside: '812c86c1',
} as const

/** The bot of each former version, in one file. */
export type Former = Record<keyof typeof COMMITS, string>

/** The places where a version may have the configuration of its bundle, and the path of the bundle. */
const BUNDLES = [
  { config: 'tools/chaos/vite.config.ts', made: 'dist-tools/chaos/bot.js' },
  { config: 'chaos/vite.config.ts', made: 'chaos/dist/bot.js' },
]

const folderOf = (root: string, commit: string) => join(root, 'dist-tools/former', commit)

const run = promisify(execFile)

/** Builds former versions from git, each once; prints which are skipped, and why. */
export async function buildFormer(
  root: string,
  names: readonly (keyof Former)[] = ['upgrade', 'beside'],
): Promise<Partial<Former>> {
  const former: Partial<Former> = {}
  for (const name of names) {
    const commit = COMMITS[name]
    try {
      former[name] = await build(root, commit)
    } catch (error) {
      const [why] = String(error instanceof Error ? error.message : error).split('\n')
      console.log(`skipped: worlds with ${commit} (${name}), which cannot be built here: ${why}`)
    }
  }
  return former
}

const REPLICA = 'tools/simulate/former-replica'

/** Builds the replica that runs beside those of this version; returns its module, or prints why it cannot be built. */
export async function buildFormerReplica(root: string): Promise<string | undefined> {
  const { beside } = await buildFormer(root, ['beside'])
  if (beside === undefined) return undefined
  const folder = folderOf(root, COMMITS.beside)
  const made = join(folder, 'dist-tools/simulate/former-replica.js')
  if (existsSync(made)) return made
  await copyFile(join(root, `${REPLICA}.ts`), join(folder, `${REPLICA}.ts`))
  const config = ['--config', 'tools/simulate/vite.config.ts', '--ssr', `${REPLICA}.ts`]
  await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', ...config], { cwd: folder })
  return made
}

async function build(root: string, commit: string): Promise<string> {
  const folder = folderOf(root, commit)
  if (!existsSync(folder)) {
    const work = `${folder}.${process.pid}`
    try {
      await layOut(root, commit, work)
      await rename(work, folder)
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  }
  const { made } = bundleIn(folder)
  return join(folder, made)
}

const bundleIn = (folder: string) => {
  const found = BUNDLES.find(({ config }) => existsSync(join(folder, config)))
  if (!found) throw new Error('it has no bundle')
  return found
}

/** Checks a version out from git, installs the packages that it was written for, and builds its bundle. */
async function layOut(root: string, commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const archive = join(folder, 'archive.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: root })
  await run('tar', ['-xf', archive], { cwd: folder })
  const lockOf = (where: string) => readFileSync(join(where, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(root)) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder })
  await run(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--config', bundleIn(folder).config],
    {
      cwd: folder,
    },
  )
}

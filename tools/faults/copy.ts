import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Fault } from './fault.ts'
import { planted } from './faults.ts'

const LEFT_OUT = /^(\.git|node_modules|data|dist|dist-tools|dist-test-.*)$/

/** The exit code of a program, and its output. */
export type Ended = { code: number; printed: string }

export type Copy = Awaited<ReturnType<typeof copyProject>>

/** Copies a project into a temporary folder, where faults can be planted. */
export async function copyProject(root: string) {
  const folder = await mkdtemp(join(tmpdir(), 'porsa-faults-'))
  await cp(root, folder, {
    recursive: true,
    filter: (path) => path === root || !LEFT_OUT.test(basename(path)),
  })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))

  return {
    folder,
    /** Plants a fault in the copy for the time of one action. */
    async with<T>(fault: Fault, act: () => Promise<T>): Promise<T> {
      const files = [...new Set(fault.sites.map(({ file }) => file))]
      const whole = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
      const harmed = files.map((file, index) => planted(fault, file, whole[index] ?? ''))
      const put = (texts: readonly string[]) =>
        Promise.all(files.map((file, index) => writeFile(join(folder, file), texts[index] ?? '')))
      try {
        await put(harmed)
        return await act()
      } finally {
        await put(whole)
      }
    },
    /** Runs a program of the project in the copy. */
    run: (program: string, args: readonly string[]): Promise<Ended> =>
      new Promise((resolve) => {
        const done = (error: Error | null, stdout: string, stderr: string) => {
          const code = error
            ? typeof error === 'object' && 'code' in error
              ? Number(error.code) || 1
              : 1
            : 0
          resolve({ code, printed: `${stdout}${stderr}` })
        }
        execFile(process.execPath, [join(folder, program), ...args], { cwd: folder, maxBuffer: 1e9 }, done)
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

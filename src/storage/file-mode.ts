import { stat } from 'node:fs/promises'

/** Whether other users than its owner may look into a file or folder. Windows has no such modes. */
export async function isReadByOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const { mode } = await stat(path)
  return (mode & 0o077) !== 0
}

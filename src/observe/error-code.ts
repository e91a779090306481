/** The code that an error of the system, of a library or of ours carries. */
export function errorCode(error: unknown): string | number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}

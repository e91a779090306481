import { errorCode, scrub } from '../observe/scrub.ts'

/** The result of checking one part; `unsure`: it cannot be known before something else works. */
export type Finding = { name: string; state: 'ok' | 'FAILED' | 'unsure'; detail: string; advice?: string }

/** A check failed for a known reason; `advice` says what to do. */
export class Problem extends Error {
  readonly advice: string
  constructor({ why, advice }: Reason) {
    super(why)
    this.advice = advice
  }
}

/** The result depends on a part that does not work. */
export class Unsure extends Error {}

/** Checks one part; the check returns what it has seen. */
export async function find(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, state: 'ok', detail: await check() }
  } catch (error) {
    // The text of `Problem` is written here, and holds nothing that must not be shown.
    if (error instanceof Problem)
      return { name, state: 'FAILED', detail: error.message, advice: error.advice }
    if (error instanceof Unsure) return { name, state: 'unsure', detail: error.message }
    return { name, state: 'FAILED', detail: scrub(error instanceof Error ? error.message : 'failed') }
  }
}

/** Why something could not be reached, and what to do about it. */
export type Reason = { why: string; advice: string }

/** A remote end: the variable of its address, that address, and the proxy on the way to it. */
export type Way = { variable: string; url: string; proxyUrl: string | undefined }

/** Explains a failed connection by the words of the system, the address, and the variables that set it. */
export function reasonOf(error: unknown, way: Way): Reason {
  const { variable, url, proxyUrl } = way
  const cause = lastCause(error)
  const words = scrub(cause instanceof Error ? cause.message || String(errorCode(cause)) : 'no reason given')
  const end = `${hostOf(url)} (${variable})`
  if (proxyUrl === undefined) {
    const why = `cannot reach ${end}: ${words}`
    return {
      why,
      advice: `look at ${variable} and the network; HTTP_PROXY_URL leads around what is filtered`,
    }
  }
  const proxy = `the proxy ${hostOf(proxyUrl)} (HTTP_PROXY_URL)`
  // Undici asks the proxy for a tunnel first, and only its message has the answer of the proxy.
  const status = /^Proxy response \((\d+)\)/.exec(cause instanceof Error ? cause.message : '')?.[1]
  if (status === '407') {
    return {
      why: `${proxy} asks for a name and a password (407)`,
      advice: 'HTTP_PROXY_URL takes them: http://user:password@host:port',
    }
  }
  if (status !== undefined) {
    return {
      why: `${proxy} does not open the way to ${end}: it answers ${status}`,
      advice: `look at ${variable}, and at what the proxy lets through`,
    }
  }
  return {
    why: `cannot reach ${end} through ${proxy}: ${words}`,
    advice: 'see that the proxy runs, and that scheme, host and port in HTTP_PROXY_URL are its own',
  }
}

/** The scheme and the host of an address, never a name or a password. */
function hostOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** The innermost cause of an error; of several attempts (IPv6, IPv4) the last one. */
function lastCause(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 5) return error
  if (error instanceof AggregateError && error.errors.length > 0)
    return lastCause(error.errors.at(-1), depth + 1)
  const inner = error.cause ?? ('error' in error ? error.error : undefined)
  return inner instanceof Error ? lastCause(inner, depth + 1) : error
}

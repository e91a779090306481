/** A request after routing. */
export interface Request {
  /** The organizer that the call's key belongs to. */
  readonly organizer: string
  /** The token in the path, if the path has one. */
  readonly token: string
  /** The absolute address, the base of the links to other pages. */
  readonly address: URL
  readonly body: unknown
}
export type Handler = (request: Request) => unknown

/** Method and pattern of a path (`GET /record/:token`), with its handler. */
export type Routes = Readonly<Record<string, Handler>>

interface Found {
  readonly pattern: string
  readonly token: string
  readonly handler: Handler
}

const LONGEST_TOKEN = 100

/** Finds the route of a path. */
export function createRouter(routes: Routes): (method: string, path: string) => Found | undefined {
  const known = Object.entries(routes).map(([route, handler]) => {
    const [method, pattern = ''] = route.split(' ')
    return { method, pattern, handler, shape: new RegExp(`^${pattern.replace(':token', '([^/]+)')}$`) }
  })
  return (method, path) => {
    for (const { shape, handler, pattern, ...route } of known) {
      const match = route.method === method ? shape.exec(path) : null
      if (!match) continue
      const token = decoded(match[1] ?? '')
      return token === undefined || token.length > LONGEST_TOKEN ? undefined : { pattern, token, handler }
    }
    return undefined
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The query parameters; a name that is given several times has a list of values. */
export function queryOf({ searchParams }: URL): Record<string, string | string[]> {
  const names = [...new Set(searchParams.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...more] = searchParams.getAll(name)
      return [name, more.length > 0 ? [first, ...more] : first]
    }),
  )
}

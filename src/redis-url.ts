const URL_FORM =
  /^(?<scheme>rediss?)(?:\+(?<form>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/

/**
 * Reads `REDIS_URL`. Throws an `Error` that says what is wrong with it, and does not repeat it.
 *
 * | form | |
 * | --- | --- |
 * | one server | `redis://[user:password@]host[:6379][/db]` |
 * | Sentinel | `redis+sentinel://[user:password@]host1[:26379],host2[:26379]/master[/db]`, and `?user=…&password=…` for the sentinels themselves |
 * | Cluster | `redis+cluster://[user:password@]host1[:6379],host2[:6379]` |
 *
 * With `rediss` in place of `redis` all connections are TLS. User and password are percent-encoded.
 */
export function parseRedisUrl(url: string) {
  const match = /\s/.test(url) ? undefined : URL_FORM.exec(url)?.groups
  if (!match) throw malformed('it must look like redis://host:6379, redis+sentinel://… or redis+cluster://…')
  const form = (['sentinel', 'cluster'] as const).find((name) => name === match.form) ?? ('single' as const)
  const path = (match.path ?? '').split('/').filter((part) => part !== '')
  const master = form === 'sentinel' ? path.shift() : ''
  if (master === undefined) throw malformed('the Sentinel form names the master: …/mymaster')
  const [db = '0', ...more] = path
  if (!/^\d+$/.test(db) || more.length > 0)
    throw malformed('after the hosts only the number of a database may follow')
  if (form === 'cluster' && db !== '0') throw malformed('a Cluster has only database 0')

  const nodes = (match.hosts ?? '')
    .split(',')
    .map((host) => parseHost(host, form === 'sentinel' ? 26_379 : 6_379))
  if (form === 'single' && nodes.length > 1)
    throw malformed('several hosts need redis+sentinel or redis+cluster')
  const sentinels = new URLSearchParams(match.query)
  return {
    form,
    tls: match.scheme === 'rediss',
    nodes,
    master: decode(master),
    db: Number(db),
    credentials: {
      ...(match.user && { username: decode(match.user) }),
      ...(match.password && { password: decode(match.password) }),
    },
    sentinelCredentials: {
      ...(sentinels.get('user') && { sentinelUsername: sentinels.get('user') ?? '' }),
      ...(sentinels.get('password') && { sentinelPassword: sentinels.get('password') ?? '' }),
    },
  }
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3] ?? defaultPort)
  if (!host || port < 1 || port > 65_535)
    throw malformed('every host is a name or address with an optional port')
  return { host, port }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformed('user and password must be percent-encoded')
  }
}

const malformed = (hint: string) => new Error(`is malformed: ${hint}`)

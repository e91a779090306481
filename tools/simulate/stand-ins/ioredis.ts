// Stands in for `ioredis`: a connection to a real Redis. The simulated time waits for its replies, and keys expire by the
// simulated time too.
import { createRequire } from 'node:module'
import type { RedisOptions } from 'ioredis'
import { surroundings } from './surroundings.ts'

const real = createRequire(import.meta.url)('ioredis') as typeof import('ioredis')
export const { Cluster } = real

/** The prefix of the simulation's own keys in the same database. */
export const OWN = 'simulation:'
const [NOW, TERMS] = [`${OWN}now`, `${OWN}terms`]

/** Precedes each script of the bot: keys expire by the world's time. */
const ownTerms = `
local server = redis
local redis = setmetatable({}, { __index = server })
function redis.call(...)
  local name, key, value, unit, term = ...
  if name == 'TIME' or name == 'PEXPIRE' then error('the time of the server is not that of the world') end
  if name ~= 'SET' then return server.call(...) end
  if not unit then
    server.call('ZREM', '${TERMS}', key)
  elseif unit == 'PX' then
    server.call('ZADD', '${TERMS}', server.call('GET', '${NOW}') + term, key)
  else error('a term in milliseconds is all that is known here') end
  return server.call('SET', key, value)
end
`
const forget = `
redis.call('SET', '${NOW}', ARGV[1])
for _, key in ipairs(redis.call('ZRANGEBYSCORE', '${TERMS}', '-inf', '(' .. ARGV[1])) do redis.call('DEL', key) end
return redis.call('ZREMRANGEBYSCORE', '${TERMS}', '-inf', '(' .. ARGV[1])
`

type Forgetting = { simulationForget(now: number): Promise<unknown> }

export class Redis extends real.Redis {
  #now = 0

  /** No command timeout: its timer would be simulated, and the simulated time stands still until the reply comes. */
  constructor({ commandTimeout: _, ...options }: RedisOptions) {
    super({ ...options, enableAutoPipelining: false })
    super.defineCommand('simulationForget', { numberOfKeys: 0, lua: forget })
  }

  override defineCommand(name: string, { lua, ...definition }: { lua: string; numberOfKeys?: number }): void {
    super.defineCommand(name, { ...definition, lua: ownTerms + lua })
  }

  override sendCommand(...[command, stream]: Parameters<typeof real.Redis.prototype.sendCommand>): unknown {
    const { time } = surroundings() ?? {}
    if (!time) return super.sendCommand(command, stream)
    if (this.status === 'ready' && this.#now !== time.worldNow()) void this.#forget(time.worldNow())
    const [key, , unit, term] = command.args
    if (command.name === 'set' && unit !== undefined) {
      command.args.splice(2)
      void this.#limit(String(key), Number(term) * (unit === 'EX' ? 1_000 : 1))
    }
    const reply = super.sendCommand(command, stream) as Promise<unknown>
    time.waitFor(reply)
    return reply
  }

  async #forget(now: number): Promise<void> {
    this.#now = now
    await (this as unknown as Forgetting).simulationForget(now)
  }

  async #limit(key: string, termMs: number): Promise<void> {
    await this.zadd(TERMS, this.#now + termMs, key)
  }
}

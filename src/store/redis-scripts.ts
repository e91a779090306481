import { sittingScript } from './redis-sitting-script.ts'
import { SEEN_FOR_MS } from './store.ts'

/**
 * Every operation is one script. All keys carry the tag `{porsa}`, so that a Cluster keeps them together; the names of
 * the queue begin with `#`, which no key of a value does.
 *
 * | key | holds |
 * | --- | --- |
 * | `{porsa}#due` | sorted set: actor → when its first message can be claimed (again) |
 * | `{porsa}#fence` | hash: actor → fence of the claim that has neither ended nor put back its first message |
 * | `{porsa}#seen` | sorted set: id of a post → until when it is remembered |
 * | `{porsa}#q:<actor>` | list: due (8) \| retries (2) \| length of the id (2) \| id \| body |
 * | `{porsa}<key>` | a value, see `redis-envelope.ts` |
 */
export const TAG = '{porsa}'
/** Routes a script that names its keys itself. */
export const QUEUE_KEY = `${TAG}#due`

const prelude = `
local DUE, FENCE, SEEN, QUEUE, VALUE = '${TAG}#due', '${TAG}#fence', '${TAG}#seen', '${TAG}#q:', '${TAG}'

local position = 0
local function argument()
  position = position + 1
  return ARGV[position]
end

-- Without a time from the caller the one clock of all replicas counts.
local now = tonumber(argument())
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function pack(due, retries, id, body) return struct.pack('>dI2I2', due, retries, #id) .. id .. body end
local function parse(message)
  local due, retries, length, from = struct.unpack('>dI2I2', message)
  return due, retries, string.sub(message, from, from + length - 1), string.sub(message, from + length)
end

local function isAt(key, expected)
  local head = redis.call('GETRANGE', VALUE .. key, 0, 15)
  if head == '' then return expected == '' end
  local version, expires = struct.unpack('>c8d', head)
  if expires <= now then return expected == '' end
  return version == expected
end

local function write()
  local key, version, expires, value = argument(), argument(), tonumber(argument()), argument()
  if version == '' then return redis.call('DEL', VALUE .. key) end
  if not expires then
    return redis.call('SET', VALUE .. key, struct.pack('>c8d', version, math.huge) .. value)
  end
  -- Expiry is judged by the caller's clock when the value is read; this one only clears up.
  local left = math.max(math.ceil(expires - now), 1)
  redis.call('SET', VALUE .. key, struct.pack('>c8d', version, expires) .. value, 'PX', left)
end

local function post()
  local actor, id, due, replace, body = argument(), argument(), tonumber(argument()) or now, argument(), argument()
  local seenUntil = redis.call('ZSCORE', SEEN, id)
  if seenUntil and tonumber(seenUntil) > now then return 0 end
  redis.call('ZADD', SEEN, now + ${SEEN_FOR_MS}, id)
  redis.call('ZREMRANGEBYSCORE', SEEN, '-inf', now)
  local isHandled = redis.call('HEXISTS', FENCE, actor) == 1
  if replace == '1' then
    if isHandled then redis.call('LTRIM', QUEUE .. actor, 0, 0) else redis.call('DEL', QUEUE .. actor) end
  end
  local length = redis.call('RPUSH', QUEUE .. actor, pack(due, 0, id, body))
  if length == 1 then redis.call('ZADD', DUE, due, actor) end
  return 1
end
`

/** `now`, then a write and the version that it expects. */
const put = `
local expected, key = argument(), ARGV[3]
if not isAt(key, expected) then return 0 end
write()
return 1
`

/** `now, leaseMs, fence` → actor, message, 1 if an earlier claim was left behind. */
const claim = `
local lease, fence = tonumber(argument()), argument()
local actor = redis.call('ZRANGEBYSCORE', DUE, '-inf', now, 'LIMIT', 0, 1)[1]
if not actor then return false end
local message = redis.call('LINDEX', QUEUE .. actor, 0)
if not message then
  redis.call('ZREM', DUE, actor)
  return false
end
local isNew = redis.call('HSET', FENCE, actor, fence)
redis.call('ZADD', DUE, now + lease, actor)
local _, retries, id, body = parse(message)
return {actor, id, body, retries, 1 - isNew}
`

/** `now, actor, fence, leaseMs` */
const renew = `
local actor, fence, lease = argument(), argument(), tonumber(argument())
if redis.call('HGET', FENCE, actor) ~= fence then return 0 end
redis.call('ZADD', DUE, now + lease, actor)
return 1
`

/**
 * `now, actor, fence`, how the message ends (`retryAt` or empty, counted failures, whether there is a new body, the
 * body), then counted lists of what is expected, written and posted. First all is checked, then all is written: where
 * memory is short, Redis refuses the first growing write of a script, never a later one.
 */
const commit = `
local actor, fence = argument(), argument()
local retryAt, failures, hasBody, newBody = tonumber(argument()), tonumber(argument()), argument(), argument()
if redis.call('HGET', FENCE, actor) ~= fence then return 'lost' end
for _ = 1, tonumber(argument()) do
  if not isAt(argument(), argument()) then return 'conflict' end
end
for _ = 1, tonumber(argument()) do write() end
for _ = 1, tonumber(argument()) do post() end

if retryAt then
  local _, retries, id, body = parse(redis.call('LINDEX', QUEUE .. actor, 0))
  if hasBody == '1' then body = newBody end
  redis.call('LSET', QUEUE .. actor, 0, pack(retryAt, retries + failures, id, body))
else
  redis.call('LPOP', QUEUE .. actor)
end
redis.call('HDEL', FENCE, actor)
local first = redis.call('LINDEX', QUEUE .. actor, 0)
if first then redis.call('ZADD', DUE, (parse(first)), actor) else redis.call('ZREM', DUE, actor) end
return 'ok'
`

/** The scripts by the names of their commands. */
export const scripts = {
  porsaPut: prelude + put,
  porsaPost: `${prelude}return post()`,
  porsaClaim: prelude + claim,
  porsaRenew: prelude + renew,
  porsaCommit: prelude + commit,
  porsaAnswer: sittingScript,
} as const

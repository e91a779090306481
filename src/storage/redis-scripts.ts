import { ATTEMPT_HEADER_BYTES } from '../domain/attempt-layout.ts'
import { counts, list, listed } from './redis-lists.ts'
import { COMMIT_SEEN_FOR_MS, type Entry, LOST_AMONG_OTHERS, SEEN_FOR_MS } from './store.ts'

/** The format of a value in Redis: version (8) | expiry in ms as a double, or infinity (8) | value. */
export const ENVELOPE_BYTES = 16

const VERSION_BYTES = 8

/** Decodes a value of Redis; `undefined` when there is none, or it has expired by `now`. */
export function openEnvelope(stored: Buffer | null, now: number): Entry | undefined {
  if (!stored || stored.readDoubleBE(VERSION_BYTES) <= now) return undefined
  const version = stored.toString('base64url', 0, VERSION_BYTES)
  return { version, value: stored.subarray(ENVELOPE_BYTES) }
}

/** The version in the format of the scripts; absent is empty. */
export const versionArgument = (version: string | null): Buffer => Buffer.from(version ?? '', 'base64url')

/**
 * Every operation is one script. All keys have the tag `{porsa}`, so that a Cluster keeps them on one node.
 * The keys of the queue begin with `#`; the keys of values do not.
 *
 * | key | holds |
 * | --- | --- |
 * | `{porsa}#due:<kind>` | sorted set: actor → when its first message can be claimed (again) |
 * | `{porsa}#fence` | hash: actor → fence of the claim that has neither ended nor put back its first message |
 * | `{porsa}#lost` | hash: actor → number of claims of its first message that were lost |
 * | `{porsa}#seen` | sorted set: id of a post or a commit → until when it is remembered |
 * | `{porsa}#q:<actor>` | list: due (8) \| retries, plus 32,768 if it was begun (2) \| length of the id (2) \| id \| body |
 * | `{porsa}#list:<name>` | sorted set: entry of the list → its time |
 * | `{porsa}#listed` | hash: entry → name of its list |
 * | `{porsa}#copy`, `{porsa}#changed` | the running copy; set: keys written since |
 * | `{porsa}<key>` | a value in its envelope, see `ENVELOPE_BYTES` |
 */
export const TAG = '{porsa}'
/** The running copy, and the keys that changed meanwhile. */
export const COPY = '#copy'
export const CHANGED = '#changed'
/** A copy without a step for this long has ended. */
export const COPY_MS = 10_000
/** Set while a restore runs: the store is incomplete. */
export const RESTORING = '#restoring'
export const PING = '#ping'
/** A key that routes a script, which names its other keys itself. */
export const QUEUE_KEY = `${TAG}#due`

const prelude = `
local DUE, FENCE, SEEN, QUEUE, VALUE = '${TAG}#due', '${TAG}#fence', '${TAG}#seen', '${TAG}#q:', '${TAG}'
local LIST, LISTED = '${TAG}#list:', '${TAG}#listed'
local LOST = '${TAG}#lost'

local position = 0
local function argument()
  position = position + 1
  return ARGV[position]
end

-- Without a time from the caller, use the clock of Redis, which all replicas share.
local now = tonumber(argument())
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
-- The caller's clock when it read the expected value. An expiry fits if it fits this clock or that of Redis.
local readAt = now

-- While a copy runs, note every written key for it.
local isCopied = redis.call('EXISTS', VALUE .. '${COPY}') == 1
local function touch(name) if isCopied then redis.call('SADD', VALUE .. '${CHANGED}', name) end end

local BEGUN = 32768
local function due(actor) return DUE .. ':' .. (string.match(actor, '^([^:]*):') or '') end
local function pack(time, retries, begun, id, body)
  return struct.pack('>dI2I2', time, retries + begun * BEGUN, #id) .. id .. body
end
local function parse(message)
  -- A harmed message is claimed all the same: its handler sets it aside.
  if #message < 12 then return now, 0, 0, '', message end
  local time, retries, length, from = struct.unpack('>dI2I2', message)
  if time ~= time then time = now end
  return time, retries % BEGUN, math.floor(retries / BEGUN), string.sub(message, from, from + length - 1), string.sub(message, from + length)
end

local function isAt(key, expected)
  local head = redis.call('GETRANGE', VALUE .. key, 0, 15)
  if head == '' then return expected == '' end
  local version, expires = struct.unpack('>c8d', head)
  if expected == '' then return expires <= math.max(now, readAt) end
  return expires > math.min(now, readAt) and version == expected
end

local function write()
  local key, version, expires, value = argument(), argument(), tonumber(argument()), argument()
  touch(key)
  if version == '' then return redis.call('DEL', VALUE .. key) end
  if not expires then
    return redis.call('SET', VALUE .. key, struct.pack('>c8d', version, math.huge) .. value)
  end
  -- Reads compare the expiry with the caller's clock; PX only cleans up, at the later of both ends.
  local left = math.max(math.ceil(expires - math.min(now, readAt)), 1)
  redis.call('SET', VALUE .. key, struct.pack('>c8d', version, expires) .. value, 'PX', left)
end

local function isSeen(id)
  local seenUntil = redis.call('ZSCORE', SEEN, id)
  return seenUntil and tonumber(seenUntil) > now
end
local function see(id, forMs)
  redis.call('ZADD', SEEN, now + forMs, id)
  redis.call('ZREMRANGEBYSCORE', SEEN, '-inf', now)
end

local function post()
  local actor, id, once, time = argument(), argument(), argument(), now + (tonumber(argument()) or 0)
  local replace, body = argument(), argument()
  if once ~= '1' then
    if isSeen(id) then return 0 end
    see(id, ${SEEN_FOR_MS})
  end
  touch('#q:' .. actor)
  local isHandled = redis.call('HEXISTS', FENCE, actor) == 1
  if replace == '1' then
    if isHandled then redis.call('LTRIM', QUEUE .. actor, 0, 0) else redis.call('DEL', QUEUE .. actor) end
  end
  local length = redis.call('RPUSH', QUEUE .. actor, pack(time, 0, 0, id, body))
  if length == 1 then redis.call('ZADD', due(actor), time, actor) end
  return 1
end
`

/** `now, readAt`, the expected version, then a write. */
const put = `
readAt = tonumber(argument())
local expected, key = argument(), ARGV[4]
if not isAt(key, expected) then return 0 end
write()
return 1
`

/** `now, leaseMs, fence`, kinds → actor, message, 1 if it was begun, number of lost claims. */
const claim = `
local lease, fence = tonumber(argument()), argument()
local actor
for kind = 4, #ARGV do
  actor = redis.call('ZRANGEBYSCORE', DUE .. ':' .. ARGV[kind], '-inf', now, 'LIMIT', 0, 1)[1]
  if actor then break end
end
if not actor then return false end
local message = redis.call('LINDEX', QUEUE .. actor, 0)
if not message then
  redis.call('ZREM', due(actor), actor)
  return false
end
local lost = 0
if redis.call('HSET', FENCE, actor, fence) == 0 then
  lost = tonumber(redis.call('HGET', LOST, actor)) or 0
  if lost < ${LOST_AMONG_OTHERS} then lost = redis.call('HINCRBY', LOST, actor, 1) end
end
redis.call('ZADD', due(actor), now + lease, actor)
local _, retries, begun, id, body = parse(message)
return {actor, id, body, retries, begun, lost}
`

/** `now, actor, fence, lost`. */
const suspect = `
local actor = argument()
if redis.call('HGET', FENCE, actor) == argument() then redis.call('HSET', LOST, actor, argument()) end
return 1
`

/** `now, actor, fence, leaseMs`, 1 to mark the message as begun. */
const renew = `
local actor, fence, lease = argument(), argument(), tonumber(argument())
if redis.call('HGET', FENCE, actor) ~= fence then return 0 end
redis.call('ZADD', due(actor), now + lease, actor)
if argument() == '1' then
  touch('#q:' .. actor)
  local time, retries, _, id, body = parse(redis.call('LINDEX', QUEUE .. actor, 0))
  redis.call('LSET', QUEUE .. actor, 0, pack(time, retries, 1, id, body))
end
return 1
`

/**
 * `now, readAt, actor, fence`, the commit's id or empty, the end of the message (delay until its retry or
 * empty, counted failures, 1 if it stays begun, 1 if the body changes, the body), then counted lists of
 * expected, written, listed and posted items. All checks come before all writes: if memory is short, Redis
 * refuses only the first growing write of a script.
 */
const commit = `
readAt = tonumber(argument())
local actor, fence, id = argument(), argument(), argument()
local retryAfter, failures, staysBegun = tonumber(argument()), tonumber(argument()), tonumber(argument())
local hasBody, newBody = argument(), argument()
if id ~= '' and isSeen(id) then return 'ok' end
if redis.call('HGET', FENCE, actor) ~= fence then return 'lost' end
for _ = 1, tonumber(argument()) do
  if not isAt(argument(), argument()) then return 'conflict' end
end
touch('#q:' .. actor)
for _ = 1, tonumber(argument()) do write() end
for _ = 1, tonumber(argument()) do list() end
for _ = 1, tonumber(argument()) do post() end

if retryAfter then
  local _, retries, begun, messageId, body = parse(redis.call('LINDEX', QUEUE .. actor, 0))
  if hasBody == '1' then body = newBody end
  redis.call('LSET', QUEUE .. actor, 0, pack(now + retryAfter, retries + failures, begun * staysBegun, messageId, body))
else
  redis.call('LPOP', QUEUE .. actor)
end
redis.call('HDEL', FENCE, actor)
redis.call('HDEL', LOST, actor)
local first = redis.call('LINDEX', QUEUE .. actor, 0)
if first then redis.call('ZADD', due(actor), (parse(first)), actor) else redis.call('ZREM', due(actor), actor) end
if id ~= '' then see(id, ${COMMIT_SEEN_FOR_MS}) end
return 'ok'
`

/** `now`, kinds → for each: actors waiting, actors due, and for how long the first one has been due. */
const backlog = `
local reply = {}
for place = 2, #ARGV do
  local key = DUE .. ':' .. ARGV[place]
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  local age = first and math.max(0, math.floor(now - tonumber(first))) or 0
  reply[#reply + 1] = { redis.call('ZCARD', key), redis.call('ZCOUNT', key, '-inf', now), age }
end
return reply
`

/** `now, cursor` → the next cursor, names of values, and the header of each that is an attempt. */
const census = `
local page = redis.call('SCAN', argument(), 'MATCH', VALUE .. '*', 'COUNT', 500)
local names, heads = {}, {}
for _, key in ipairs(page[2]) do
  local name = string.sub(key, #VALUE + 1)
  local isAttempt = string.sub(name, 1, 2) == 's:'
  names[#names + 1] = name
  heads[#heads + 1] = isAttempt and redis.call('GETRANGE', key, ${ENVELOPE_BYTES}, ${ENVELOPE_BYTES + ATTEMPT_HEADER_BYTES - 1}) or ''
end
return { page[1], names, heads }
`

/**
 * `now, token, step`, then an act of a copy: `begin`; `page` with a scan cursor; `changed` with a number of
 * changed keys to take; `end` with a time: all other changed keys, and the ids remembered since → the next
 * state, and names with their values: for a queue its messages, for a deleted key nothing.
 */
const copy = `
local token, step, act = argument(), tonumber(argument()), argument()
local copyKey, changedKey = VALUE .. '${COPY}', VALUE .. '${CHANGED}'
local function fetch(name)
  if string.sub(name, 1, 3) == '#q:' then return { name, redis.call('LRANGE', VALUE .. name, 0, -1) } end
  return { name, redis.call('GET', VALUE .. name) or {} }
end
if act == 'begin' then
  redis.call('DEL', changedKey)
  return { redis.call('SET', copyKey, token .. step, 'NX', 'PX', ${COPY_MS}) and tostring(now) or '', {} }
end
-- A step that ioredis repeats after a lost reply fails: its keys were already taken.
if redis.call('GET', copyKey) ~= token .. step - 1 then return { '', {} } end
redis.call('SET', copyKey, token .. step, 'PX', ${COPY_MS})
local found, state = {}, '1'
if act == 'page' then
  local page = redis.call('SCAN', argument(), 'MATCH', VALUE .. '*', 'COUNT', 100)
  state = page[1]
  for _, key in ipairs(page[2]) do
    local name = string.sub(key, #VALUE + 1)
    local isKept = string.sub(name, 1, 3) == '#q:' or string.sub(name, 1, 1) ~= '#'
    if isKept and string.sub(name, 1, 8) ~= 'session:' then found[#found + 1] = fetch(name) end
  end
elseif act == 'changed' then
  for _, name in ipairs(redis.call('SPOP', changedKey, argument())) do found[#found + 1] = fetch(name) end
else
  local since = tonumber(argument())
  for _, name in ipairs(redis.call('SMEMBERS', changedKey)) do found[#found + 1] = fetch(name) end
  local commits = { since + ${COMMIT_SEEN_FOR_MS}, now + ${COMMIT_SEEN_FOR_MS} }
  found[#found + 1] = { '#seen', redis.call('ZRANGEBYSCORE', SEEN, commits[1], commits[2], 'WITHSCORES') }
  found[#found + 1] = { '#seen', redis.call('ZRANGEBYSCORE', SEEN, since + ${SEEN_FOR_MS}, '+inf', 'WITHSCORES') }
  redis.call('DEL', copyKey, changedKey)
end
return { state, found }
`

/** The scripts by command name; each has one key. */
export const scripts = {
  porsaPut: prelude + put,
  porsaPost: `${prelude}return post()`,
  porsaClaim: prelude + claim,
  porsaSuspect: prelude + suspect,
  porsaRenew: prelude + renew,
  porsaCommit: prelude + list + commit,
  porsaCounts: prelude + counts,
  porsaListed: prelude + listed,
  porsaBacklog: prelude + backlog,
  porsaCensus: prelude + census,
  porsaCopy: prelude + copy,
} as const

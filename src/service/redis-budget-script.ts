import { HOUR_MS } from '../domain/durations.ts'
import { budgetRules, type Limits, LONGEST_CALL_MS, MINUTE_MS } from './budget.ts'

/** Who is silent for so long has died: its places in line are given up. */
export const SILENCE_MS = 5_000

/** The limits as every operation of the script gets them. */
export const limitsArgument = ({ whole, halved, floor }: Limits): number[] => [
  ...[whole.participant.minute.limit, whole.background.minute.limit],
  ...[halved.participant.minute.limit, halved.background.minute.limit],
  ...[whole.participant.hour.limit, whole.background.hour.limit],
  ...[floor.calls, floor.spacingMs],
]

/**
 * The budget that all replicas of a key share: one script, which every operation runs. The rules are those of
 * `embedded-budget.ts`, and one contract suite holds both to them. Whoever runs it grants what is open, to whomever;
 * the others find theirs when they look, and the reply says when the next look is worth while.
 *
 * | key | holds |
 * | --- | --- |
 * | `<budget>:log` | sorted set: call → when it ended; one under way: when it must have ended |
 * | `<budget>:participant`, `:background` | sorted sets: who waits → rank and since when |
 * | `<budget>:outside:<account>` | sorted set: who waits for one of the account's three places |
 * | `<budget>:accounts` | hash: account → its places |
 * | `<budget>:replicas` | sorted set: replica → when it was heard of |
 * | `<budget>:waits:<replica>` | hash: who waits → lane and account |
 * | `<budget>:granted:<replica>` | list: who has a slot and was not told yet |
 * | `<budget>:floor` | list: when the last background calls began |
 * | `<budget>:pace` | hash: what a 429 left behind, and the last time somebody came |
 *
 * A call is named `<replica>.<number>`. All times are milliseconds of the clock of Redis, or of the caller in tests.
 */
export const redisBudgetScript = `
local BUDGET = KEYS[1]
local LOG, REPLICAS, ACCOUNTS = BUDGET .. ':log', BUDGET .. ':replicas', BUDGET .. ':accounts'
local FLOOR, PACE, OUTSIDE = BUDGET .. ':floor', BUDGET .. ':pace', BUDGET .. ':outside:'
local WAITS, GRANTED = BUDGET .. ':waits:', BUDGET .. ':granted:'
local LINE = { participant = BUDGET .. ':participant', background = BUDGET .. ':background' }
local MINUTE, HOUR, LONGEST, SILENCE = ${MINUTE_MS}, ${HOUR_MS}, ${LONGEST_CALL_MS}, ${SILENCE_MS}
local STEPS = { ${budgetRules.pauseStepsMs.join(', ')} }
local PLACES, RANK, TICK = ${budgetRules.placesOfAccount}, 1e13, 0.01

local position = 0
local function argument()
  position = position + 1
  return ARGV[position]
end

local now = tonumber(argument())
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local replica = argument()
-- What the configured limits come to.
local function lanes()
  local participant, background = tonumber(argument()), tonumber(argument())
  return { participant = participant, background = background }
end
local WHOLE, HALVED, HOURLY = lanes(), lanes(), lanes()
local FLOOR_CALLS, FLOOR_SPACING = tonumber(argument()), tonumber(argument())
local operation = argument()

local pausedUntil, halvedUntil, pauses, lastArrival = unpack(redis.call('HMGET', PACE, 'pausedUntil', 'halvedUntil',
  'pauses', 'arrival'))
pausedUntil, halvedUntil = tonumber(pausedUntil or 0), tonumber(halvedUntil or 0)
local function perMinuteNow() return now < halvedUntil and HALVED or WHOLE end

-- How many calls of the log count in a window; every one that is granted meanwhile counts in all of them.
local counted = {}
local function countedIn(ms)
  counted[ms] = counted[ms] or redis.call('ZCOUNT', LOG, now - ms, '+inf')
  return counted[ms]
end

local function opensIn(ms, limit, n)
  local rounds = math.floor((n - 1) / limit)
  local mustExpire = countedIn(ms) + n - rounds * limit - limit
  if mustExpire <= 0 then return now + rounds * (ms + 1) end
  local last = redis.call('ZREVRANGE', LOG, countedIn(ms) - mustExpire, countedIn(ms) - mustExpire, 'WITHSCORES')
  return math.min(tonumber(last[2]), now) + (rounds + 1) * (ms + 1)
end

-- The earliest time at which the n-th further call of a lane may begin, by the windows alone.
local function opensBy(lane, perMinute, n)
  return math.max(now, opensIn(MINUTE, perMinute[lane], n), opensIn(HOUR, HOURLY[lane], n))
end

local function head(lane)
  local first = redis.call('ZRANGE', LINE[lane], 0, 0, 'WITHSCORES')
  return first[1], first[2] and tonumber(first[2]) % RANK
end

-- When the background lane is owed a slot whatever the participants do.
local function floorAt(since)
  local waited = since + FLOOR_SPACING
  local earliest = tonumber(redis.call('LINDEX', FLOOR, -FLOOR_CALLS) or nil)
  return earliest and math.max(waited, earliest + FLOOR_CALLS * FLOOR_SPACING) or waited
end

local function opensUnder(perMinute, lane, since)
  local paced = opensBy(lane, perMinute, 1)
  if lane == 'participant' then return paced end
  return math.min(paced, math.max(opensBy('participant', perMinute, 1), floorAt(since)))
end

local function opensAt(lane, since)
  if now >= halvedUntil then return math.max(opensUnder(WHOLE, lane, since), pausedUntil) end
  local whole = math.max(opensUnder(WHOLE, lane, since), halvedUntil)
  return math.max(math.min(opensUnder(HALVED, lane, since), whole), pausedUntil)
end

-- Since when somebody waits who comes now: who comes in the same millisecond comes behind.
local function arrival()
  lastArrival = math.max(now, tonumber(lastArrival or 0) + TICK)
  redis.call('HSET', PACE, 'arrival', lastArrival)
  return lastArrival
end

local ownerOf = function(id) return string.match(id, '^[^.]+') end
local function standingOf(id)
  local standing = redis.call('HGET', WAITS .. ownerOf(id), id)
  if not standing then return nil end
  return string.match(standing, '^(%a+) (.*)$')
end

local function enter(id, lane, rank, account, since)
  if redis.call('HSETNX', WAITS .. replica, id, lane .. ' ' .. account) == 0 then return end
  -- A slot that its owner never heard of.
  if redis.call('ZREM', LOG, id) == 1 then redis.call('LREM', GRANTED .. replica, 0, id) end
  local score = rank * RANK + (since and since < now and since or arrival())
  if account ~= '' and redis.call('HINCRBY', ACCOUNTS, account, 1) > PLACES then
    redis.call('HINCRBY', ACCOUNTS, account, -1)
    redis.call('ZADD', OUTSIDE .. account, score, id)
    redis.call('PEXPIRE', OUTSIDE .. account, 2 * HOUR)
  else
    redis.call('ZADD', LINE[lane], score, id)
  end
end

local function leave(id)
  local lane, account = standingOf(id)
  if not lane then return false end
  redis.call('HDEL', WAITS .. ownerOf(id), id)
  if redis.call('ZREM', LINE[lane], id) == 0 then
    redis.call('ZREM', OUTSIDE .. account, id)
  elseif account ~= '' then
    local following = redis.call('ZPOPMIN', OUTSIDE .. account)
    if following[1] then
      local rank = math.floor(tonumber(following[2]) / RANK)
      redis.call('ZADD', LINE[standingOf(following[1])], rank * RANK + arrival(), following[1])
    elseif redis.call('HINCRBY', ACCOUNTS, account, -1) <= 0 then
      redis.call('HDEL', ACCOUNTS, account)
    end
  end
  return true
end

local function drop(gone)
  for _, id in ipairs(redis.call('HKEYS', WAITS .. gone)) do leave(id) end
  redis.call('DEL', WAITS .. gone, GRANTED .. gone)
  redis.call('ZREM', REPLICAS, gone)
end

local function grant(id, lane)
  leave(id)
  redis.call('ZADD', LOG, now + LONGEST, id)
  for ms, count in pairs(counted) do counted[ms] = count + 1 end
  redis.call('RPUSH', GRANTED .. ownerOf(id), id)
  if lane == 'background' then
    redis.call('RPUSH', FLOOR, now)
    redis.call('LTRIM', FLOOR, -FLOOR_CALLS, -1)
  end
end

-- Grants what is open, and tells when more will be: milliseconds from now, or -1 when nobody waits.
local function pump()
  redis.call('ZREMRANGEBYSCORE', LOG, '-inf', '(' .. string.format('%.0f', now - HOUR))
  while true do
    local participant, participantSince = head('participant')
    local background, backgroundSince = head('background')
    if not participant and not background then return -1 end
    local opens = participant and opensAt('participant', participantSince)
    local owed = background and (not participant or floorAt(backgroundSince) <= now)
      and opensAt('background', backgroundSince)
    if owed and owed <= now then
      grant(background, 'background')
    elseif opens and opens <= now then
      grant(participant, 'participant')
    else
      -- While participants wait, only the floor can move the background lane.
      local following = background and (opens and math.max(floorAt(backgroundSince), opens) or owed)
      return math.ceil(math.min(opens or math.huge, following or math.huge) - now)
    end
  end
end

local function placeOf(id)
  local lane = standingOf(id)
  if not lane then return -1, 0 end
  local place = (redis.call('ZRANK', LINE[lane], id) or redis.call('ZCARD', LINE[lane])) + 1
  if lane == 'background' then place = place + redis.call('ZCARD', LINE.participant) end
  return place, math.ceil(math.max(opensBy(lane, perMinuteNow(), place), pausedUntil) - now)
end

if operation == 'release' then
  redis.call('ZADD', LOG, now, argument())
  return redis.call('PEXPIRE', LOG, 2 * HOUR)
end
if operation == 'usage' then
  return { countedIn(MINUTE), perMinuteNow().participant, countedIn(HOUR), HOURLY.participant, redis.call('ZCARD', LINE.participant),
    redis.call('ZCARD', LINE.background), math.ceil(math.max(0, pausedUntil - now)) }
end
if operation == 'close' then
  drop(replica)
  return 1
end

for _, silent in ipairs(redis.call('ZRANGEBYSCORE', REPLICAS, '-inf', '(' .. string.format('%.0f', now - SILENCE))) do
  drop(silent)
end
redis.call('ZADD', REPLICAS, now, replica)

local asked = {}
if operation == 'look' then
  for _ = 1, tonumber(argument()) do
    local id, lane, rank, account, since = argument(), argument(), tonumber(argument()), argument(), argument()
    enter(id, lane, rank, account, tonumber(since))
  end
  -- Calls that take unusually long.
  for _ = 1, tonumber(argument()) do redis.call('ZADD', LOG, 'XX', 'GT', now + LONGEST / 2, argument()) end
  for _ = 1, tonumber(argument()) do asked[#asked + 1] = argument() end
elseif operation == 'leave' then
  local id = argument()
  if not leave(id) then
    redis.call('ZREM', LOG, id)
    redis.call('LREM', GRANTED .. replica, 0, id)
  end
elseif operation == 'pause' then
  local retryAfter = tonumber(argument())
  pauses = now > halvedUntil and 0 or tonumber(pauses or 0)
  -- Calls that were under way together are refused together: that is one reason to pause, not many.
  if retryAfter or now >= pausedUntil then
    local backOff = STEPS[math.min(pauses + 1, #STEPS)]
    if now >= pausedUntil then pauses = pauses + 1 end
    pausedUntil = math.max(pausedUntil, now + math.min(retryAfter or backOff, HOUR))
    halvedUntil = pausedUntil + ${budgetRules.halvedForMs}
    redis.call('HSET', PACE, 'pausedUntil', pausedUntil, 'halvedUntil', halvedUntil, 'pauses', pauses)
  end
end

local wait = pump()
local granted = redis.call('LRANGE', GRANTED .. replica, 0, -1)
-- They begin now.
for _, id in ipairs(granted) do redis.call('ZADD', LOG, now + LONGEST, id) end
redis.call('DEL', GRANTED .. replica)
local places = {}
for _, id in ipairs(asked) do
  local place, eta = placeOf(id)
  places[#places + 1], places[#places + 2] = place, eta
end
for _, key in ipairs({ LOG, LINE.participant, LINE.background, ACCOUNTS, REPLICAS, FLOOR, PACE, WAITS .. replica }) do
  redis.call('PEXPIRE', key, 2 * HOUR)
end
return { wait, redis.call('HLEN', WAITS .. replica), granted, places }
`

import { LISTED_FOR_MS } from './store.ts'

/** Changes the list of an entry in a commit, and removes a few entries that are too old for the list. */
export const list = `
local function list()
  local id, to, at, isRecount = argument(), argument(), tonumber(argument()), argument()
  local before = redis.call('HGET', LISTED, id)
  if before == to and isRecount == '1' then return end
  if before and before ~= to then redis.call('ZREM', LIST .. before, id) end
  if to == '' then return redis.call('HDEL', LISTED, id) end
  redis.call('ZADD', LIST .. to, at, id)
  redis.call('HSET', LISTED, id, to)
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', LIST .. to, '-inf', at - ${LISTED_FOR_MS}, 'LIMIT', 0, 10)) do
    redis.call('ZREM', LIST .. to, old)
    redis.call('HDEL', LISTED, old)
  end
end
`

/** `now`, then lists, each with a time → number of entries since that time. */
export const counts = `
local reply = {}
while position < #ARGV do
  local list, since = argument(), argument()
  reply[#reply + 1] = redis.call('ZCOUNT', LIST .. list, since, '+inf')
end
return reply
`

/** `now, list, from, skip, most` → entries, each with its time. */
export const listed = `
local list, since = argument(), argument()
return redis.call('ZRANGEBYSCORE', LIST .. list, since, '+inf', 'WITHSCORES', 'LIMIT', argument(), argument())
`

import { attemptRules } from '../domain/attempt.ts'
import { ATTEMPT_HEADER_BYTES, attemptLayout, CHANGE_BYTES } from '../domain/attempt-layout.ts'
import { MOVE_FLAGS, REPLY_FLAGS } from './redis-answers.ts'
import { CHANGED, COPY, ENVELOPE_BYTES, TAG } from './redis-scripts.ts'

const { bytes, numbers, versions } = attemptLayout
const isUnknown = versions.map((version) => `layout ~= ${version}`).join(' and ')
const format = [
  '>B',
  ...Object.values(bytes).map((width) => `c${width}`),
  ...Object.values(numbers).map((width) => `I${width}`),
].join('')
const fields = [...Object.keys(bytes), ...Object.keys(numbers)].join(', ')

/** The name of the command. */
export const ANSWER = 'porsaAnswer'

/**
 * `KEYS`: attempts; `ARGV`: an answer for each (see `redis-answers.ts`). The rules are those of
 * `domain/attempt.ts`. Returns a reply for each; a failed one is an error and leaves the others as they are.
 * A single key gets the bare reply.
 */
export const attemptScript = `
local OPEN = 0

local function answer(key, move)
local stored = redis.call('GET', key)
if not stored or #stored < ${ENVELOPE_BYTES + ATTEMPT_HEADER_BYTES} then return '' end
local version, expires = struct.unpack('>c8d', stored)
local flags, claimant, at = struct.unpack('>Bc8I6', move)
if at == 0 then
  local time = redis.call('TIME')
  at = time[1] * 1000 + math.floor(time[2] / 1000)
end
local layout, ${fields} = struct.unpack('${format}', stored, ${ENVELOPE_BYTES + 1})
if expires <= at or (${isUnknown}) or owner ~= claimant then return '' end

local answers = string.sub(stored, ${ENVELOPE_BYTES + ATTEMPT_HEADER_BYTES + 1})
local allowBack = flags % ${2 * MOVE_FLAGS.allowBack} >= ${MOVE_FLAGS.allowBack}
local accepted = false
local fastBefore = fastAnswers

local function counted(count) return math.min(count + 1, 65535) end

local question, shownRevision, first, change = struct.unpack('>I2I4c1c1', move, 16)
local messageId = lastMessageId
local isNew = true
if flags >= ${MOVE_FLAGS.messageId} then
  messageId = struct.unpack('>I4', move, 24)
  isNew = messageId > lastMessageId
end
if state == OPEN and question == view and shownRevision == revision and isNew then
  if question == answered and answered < questions then
    answers = string.sub(answers, 1, answered) .. first .. string.sub(answers, answered + 1)
    answered = answered + 1
    accepted = true
  elseif allowBack and question < answered
    and (#answers - answered) / ${CHANGE_BYTES} < ${attemptRules.mostChanges} then
    answers = answers .. struct.pack('>I2I4c1', question, revision, change)
    accepted = true
  end
end

if accepted then
  local shownForMs = at - shownAt
  if shownForMs >= 0 and shownForMs < ${attemptRules.fastAnswerMs} then fastAnswers = counted(fastAnswers) end
  if at - lastActivityAt > ${attemptRules.longPauseMs} then pauses = counted(pauses) end
  local gap = math.min(math.max(at - lastActivityAt, 0), ${attemptRules.longestGapMs})
  activeMs = math.min(activeMs + gap, 4294967295)
  lastActivityAt = math.max(at, lastActivityAt)
  view, revision, shownAt, lastMessageId = answered, revision + 1, at, messageId
  local seconds = retentionSeconds
  if answered == questions then seconds = math.max(seconds, ${attemptRules.completeRetentionSeconds}) end
  -- Derive the next version from the last one and the move, so that no random bytes are sent.
  version = string.sub(redis.sha1hex(version .. move), 1, 8)
  local header = struct.pack('${format}', layout, ${fields})
  local envelope = struct.pack('>c8d', version, at + seconds * 1000)
  redis.call('SET', key, envelope .. header .. answers, 'PX', math.max(seconds, 1) * 1000)
  if redis.call('EXISTS', '${TAG}${COPY}') == 1 then
    redis.call('SADD', '${TAG}${CHANGED}', string.sub(key, ${TAG.length + 1}))
  end
end

local summary = state * ${REPLY_FLAGS.state} + language * ${REPLY_FLAGS.language}
if accepted then summary = summary + ${REPLY_FLAGS.accepted} end
if fastAnswers > fastBefore then summary = summary + ${REPLY_FLAGS.fast} end
return struct.pack('>I2I4I2I2I2I4', summary, revision, questions, view, answered, math.floor(activeMs / 1000))
end

if #KEYS == 1 then return answer(KEYS[1], ARGV[1]) end
local replies = {}
for place = 1, #KEYS do
  local isDone, reply = pcall(answer, KEYS[place], ARGV[place])
  -- Before Redis 7, errors are strings.
  if not isDone and type(reply) ~= 'table' then reply = redis.error_reply(reply) end
  replies[place] = reply
end
return replies
`

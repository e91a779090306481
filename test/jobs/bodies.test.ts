import { expect, test } from 'vitest'
import { checksJob, generationJob } from '../../src/jobs/analysis.ts'
import { callJob } from '../../src/jobs/call-job.ts'
import { resultJob } from '../../src/jobs/deliver-result.ts'
import { noticeJob } from '../../src/jobs/notices.ts'
import { submitJob } from '../../src/jobs/submit-answers.ts'
import { watchJobs } from '../../src/jobs/watch-jobs.ts'
import { chatMail } from '../../src/queue/chat-message.ts'
import type { BodyReader } from '../../src/queue/job.ts'

const onBehalf = { who: 'w', chatId: 1, epoch: 0, language: 'fa' }
const known = { s: 's', onBehalf }
const verify = { kind: 'verify', token: 't', draftToken: 'd', code: '1' }

test.each<[string, BodyReader<object>, object]>([
  ['call', callJob, { ...known, id: 'i', call: verify }],
  [
    'call of a process that stopped',
    callJob,
    { ...known, id: 'i', call: { kind: 'open', token: 't' }, wasInterrupted: true },
  ],
  ['submission', submitJob, { ...known, unclear: false }],
  ['submission under way', submitJob, { ...known, unclear: true, otherForm: true, told: true, tries: 4 }],
  ['result', resultJob, known],
  ['result under way', resultJob, { ...known, tries: 2, again: 1, blocked: [5] }],
  ['analysis', generationJob, { ...known, phase: 'start' }],
  ['a look at the list', checksJob, {}],
  ['analysis under way', generationJob, { ...known, phase: 'place', isFirst: true, since: 9, tries: 1 }],
  ['analysis that 3b94e08 looked at', generationJob, { ...known, phase: 'look', since: 9 }],
  ['opening', watchJobs.opening, { ...known, waitMs: 1, until: 2 }],
  ['screen', watchJobs.screen, { ...known, dueAt: 1 }],
  ['reminder', watchJobs.reminder, { onBehalf, sent: 1, since: 2 }],
  ['record', watchJobs.record, { s: 's', since: 1, toldAt: 2, warnedOf: 3 }],
  ['timer', watchJobs.timer, { ...known, event: { kind: 'code-expired', draftToken: 'd' } }],
  ['notice', noticeJob, { chatId: 1, text: 'x' }],
  [
    'notice with buttons',
    noticeJob,
    { chatId: 1, text: 'x', keyboard: [[{ text: 'x', callback_data: 'y' }]] },
  ],
])('the body of a %s is read as it was posted', (_, { read }, body) => {
  expect(read(body)).toEqual(body)
})

test.each<[string, BodyReader<object>, unknown]>([
  ['nothing', submitJob, undefined],
  ['another account', submitJob, { s: 's', onBehalf: { who: 'w' } }],
  ['an unknown call', callJob, { ...known, id: 'i', call: { kind: 'toString', token: 't' } }],
  ['a call that lacks something', callJob, { ...known, id: 'i', call: { kind: 'verify', token: 't' } }],
  ['an unknown phase', generationJob, { ...known, phase: 'rest' }],
  ['an unknown event', watchJobs.timer, { ...known, event: { kind: 'odd' } }],
  ['an update that is none', chatMail, { type: 'update', chatId: 1, update: {} }],
  ['a button without words', noticeJob, { chatId: 1, text: 'x', keyboard: [[{}]] }],
])('%s is refused, and not quoted in the error', (_, { read }, body) => {
  expect(() => read(body)).toThrow(/^a message \(\w+\) is not what it should be$/)
})

import { GrammyError, HttpError } from 'grammy'
import { expect, test } from 'vitest'
import { newRecordFile } from '../../src/domain/record/record.ts'
import { createDeliveryAnswers } from '../../src/jobs/delivery-answers.ts'
import { LeaseLostError } from '../../src/jobs/lease.ts'
import type { Part } from '../../src/kept/owed-result.ts'
import { createLog } from '../../src/observe/logger.ts'
import { loadTexts } from '../../src/texts/texts.ts'

const part: Part = { chatId: 1, language: 'fa', kind: 'document', index: 0 }

/** What is sent of an owed report by a worker whose lease holds, or does not, and what became of it. */
async function sending(begin: () => Promise<void>, send: () => Promise<void> = async () => undefined) {
  const sent: string[] = []
  type Deps = Parameters<typeof createDeliveryAnswers>[0]
  type About = Parameters<ReturnType<typeof createDeliveryAnswers>>[1]
  const log = createLog('silent', { write: () => undefined })
  const deps = { texts: loadTexts(), config: {}, now: () => 7, log } as unknown as Deps // what a report needs
  const sender = {
    document: async () => {
      sent.push('document')
      await send()
    },
  }
  const file = { ...newRecordFile({ s: 's', token: 't', seenAt: 0 }, 'record'), test: { title: 'آزمون' } }
  const about = { file, owed: { html: '<p>', parts: [part], date: 7 }, sender, begin } as unknown as About
  const answer = createDeliveryAnswers(deps)
  const became = await answer({ ask: 'send', part }, about).catch(() => 'thrown')
  return { sent, became }
}

const refusal = (code: number) =>
  new GrammyError('refused', { ok: false, error_code: code, description: 'refused' }, 'sendDocument', {})

test('a part is sent by whoever holds the delivery', async () => {
  expect((await sending(async () => undefined)).sent).toEqual(['document'])
})

test('whoever stood still until somebody else had the delivery sends nothing', async () => {
  expect((await sending(() => Promise.reject(new LeaseLostError('stood still')))).sent).toEqual([])
})

test.each<[string, Error, unknown]>([
  ['lost on its way stays owed', new HttpError('lost', new Error('reset')), 'thrown'],
  ['that Telegram failed at stays owed', refusal(500), 'thrown'],
  ['that Telegram will never take holds up nothing', refusal(400), { to: 'send', part, became: 'refused' }],
])('a part %s', async (_, error, became) => {
  expect(
    (
      await sending(
        async () => undefined,
        () => Promise.reject(error),
      )
    ).became,
  ).toEqual(became)
})

import { expect, test } from 'vitest'
import type { Breaker } from '../../src/service/breaker.ts'
import { createCall } from '../../src/service/call.ts'
import type { Transport } from '../../src/service/transport.ts'
import { localService, ok, testClient } from './local-service.ts'

/** The steps of a submission, in their order. */
function onItsWay(begin: () => Promise<void>) {
  const steps: string[] = []
  const noted = (step: string) => async () => void steps.push(step)
  const call = createCall({
    transport: {
      async send() {
        steps.push('sent')
        return { status: 200, body: { successful: true, data: {} }, headers: {} }
      },
    } as unknown as Transport,
    budget: {
      async acquire() {
        steps.push('slot')
        return { release: noted('released'), cancel: noted('given back') }
      },
      pause: async () => undefined,
      close: async () => undefined,
    },
    breaker: { isOpen: () => false, run: (attempt: () => Promise<unknown>) => attempt() } as Breaker,
    now: Date.now,
  })
  const made = call(
    'submitAnswers',
    { token: 't', body: { record: ['a'], doing_duration_in_minutes: 1 } },
    {
      async begin() {
        steps.push('begun')
        await begin()
      },
    },
  )
  return { steps, made }
}

test('a call is marked as begun when it has its slot, right before it is sent', async () => {
  const { steps, made } = onItsWay(async () => undefined)
  await made.catch(() => undefined)
  expect(steps).toEqual(['slot', 'begun', 'sent', 'released'])
})

test('a call that may not begin is not sent, and its slot is returned unused', async () => {
  const lost = new Error('another worker may have the message')
  const { steps, made } = onItsWay(() => Promise.reject(lost))
  await expect(made).rejects.toBe(lost)
  expect(steps).toEqual(['slot', 'begun', 'given back'])
})

test('a check that the bot makes for itself does not wait among the messages in work', async () => {
  const { url } = await localService(ok({ connect: 'ok' }))
  let waits = 0
  const { client } = testClient(url, {
    inLine(wait) {
      waits += 1
      return wait()
    },
  })
  await client.connect({ isLook: true })
  expect(waits).toBe(0)
  await client.connect()
  expect(waits).toBe(1)
})

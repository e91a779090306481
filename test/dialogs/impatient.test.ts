import { expect } from 'vitest'
import { until } from '../until.ts'
import { knownPerson } from './short-tests.ts'
import { story } from './walk.ts'

story(
  'whoever asks again and again while the result is being fetched gets it all the same',
  async ({ meet }) => {
    const sara = await meet({ ...knownPerson(), at: 'review' })
    const { sandbox, settled } = sara.world
    const fetched = (form: string) => sandbox.calls.filter(({ path }) => path.includes(form))
    const slow = sandbox.fault({ kind: 'slow', ms: 600_000, path: 'result/json', times: 1 })
    sara.person.tap(/^submit:/)
    await until(() => sandbox.calls.some(({ path }) => path.includes('result/json')))
    const before = sara.fromBot().length
    sara.person.start(sara.payload)
    // The word that it is on its way changes the record's file while the job waits for the service.
    await until(() => sara.fromBot().length > before)
    slow.end()
    await settled()
    expect(sara.files).toHaveLength(2)
    expect(fetched('result/json')).toHaveLength(1)
    expect(fetched('result/html')).toHaveLength(1)
  },
)

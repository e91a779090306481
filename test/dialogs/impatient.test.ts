import { expect } from 'vitest'
import { until } from '../until.ts'
import { knownPerson } from './short-tests.ts'
import { story, word } from './walk.ts'

story(
  'a participant who asks again and again while the result is being fetched still gets it',
  async ({ meet }) => {
    const sara = await meet({ ...knownPerson(), at: 'review' })
    const { sandbox, settled } = sara.world
    const fetched = (form: string) => sandbox.calls.filter(({ path }) => path.includes(form))
    const slow = sandbox.fault({ kind: 'slow', ms: 600_000, path: 'result/json', times: 1 })
    sara.person.tap(/^submit:/)
    await until(() => sandbox.calls.some(({ path }) => path.includes('result/json')))
    const before = sara.fromBot().length
    sara.person.start(sara.payload)
    // The answer to /start changes the record file while the job waits for the service.
    await until(() => sara.fromBot().length > before)
    slow.end()
    await settled()
    expect(sara.files).toHaveLength(2)
    expect(fetched('result/json')).toHaveLength(1)
    expect(fetched('result/html')).toHaveLength(1)
  },
)

story('«یک لحظه» is shown once, whatever is pressed and typed meanwhile', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const slow = sara.world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'auth', times: 1 })
  const comes = async (act: () => unknown) => {
    const before = sara.person.messages.at(-1)?.message_id ?? 0
    act()
    await until(() => sara.fromBot().some(({ message_id: id }) => id > before + 1))
  }
  sara.person.tap('profile:ok')
  await until(() => sara.calls.includes('auth'))
  await comes(() => sara.person.say('/start'))
  await comes(() => sara.person.start(sara.payload))
  await comes(() => sara.person.say('بله'))
  expect(sara.chat.split(word('one-moment'))).toHaveLength(2)
  slow.end()
  await sara.world.settled()
})

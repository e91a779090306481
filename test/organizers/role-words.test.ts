import { expect } from 'vitest'
import { CHILD, MOTHER } from '../roadmaps/kin.ts'
import { inviteTo, sandbox, somebody, withProfiles } from './family.ts'
import { story, word } from './office.ts'

for (const said of [['بله'], ['چی؟', 'ادامه']])
  story(`«${said.at(-1)}» to the introduction of a role begins it`, async ({ work }) => {
    const office = await work({ sandbox })
    const token = await withProfiles(office)
    const mother = somebody(office, token)
    await mother.opens(await inviteTo(office, token, MOTHER))
    for (const each of said) {
      expect(mother.place).toBe('introduction')
      await mother.says(each)
    }
    expect(mother.offered.length).toBeGreaterThan(0)
  })

story('a yes to something else does not begin a role', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  const mother = somebody(office, token)
  await mother.opens(await inviteTo(office, token, MOTHER))
  await mother.says('/forget')
  await mother.says('بله')
  expect(mother.place).toBe('introduction')
})

story('a text at the guardian’s question of an invited child points to its buttons', async ({ work }) => {
  const office = await work({ sandbox })
  const token = await withProfiles(office)
  const child = somebody(office, token)
  await child.opens(await inviteTo(office, token, CHILD))
  await child.taps(/^begin:/)
  expect(child.place).toBe('guardian')
  await child.says('بله')
  expect(child.heard).toContain(word('use-buttons'))
  expect(child.place).toBe('guardian')
})

story(
  'a reminder for a family whose only begun role was released says that it was released',
  async ({ work }) => {
    const office = await work({ sandbox, environment: { QUIET_HOURS: '0-0' } })
    const token = await withProfiles(office)
    const mother = somebody(office, token)
    await mother.accepts(await inviteTo(office, token, MOTHER))
    await mother.takes()
    await office.says(`/roadmaps ${token}`)
    await office.taps(/^release:/)
    await office.taps(/^release:.*:same$/)
    await office.forges(`nudge:m:${token}`)
    expect(office.heard).toBe(word('nudge-released'))
  },
)

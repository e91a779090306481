import { expect } from 'vitest'
import { createAccount } from '../account.ts'
import { shortTest } from '../dialogs/short-tests.ts'
import { onBothStores, story, word } from './office.ts'

/** The rate limit of the service has stories of its own. */
const UNHURRIED = { RATE_PER_MINUTE: '9000', RATE_PER_HOUR: '90000' }

const rowsOf = (csv: string) => csv.trimEnd().split('\r\n').slice(1)

story('many lines become one CSV in their order, and a sheet to print', async ({ work }) => {
  const office = await work()
  const [one, two] = [office.addRecord(), office.addRecord()]
  const roadmap = office.world.sandbox.addRoadmap({ productId: 'couple' })
  const lines = [
    'token,external_id',
    `${one};12`,
    '',
    'nonsense',
    `roadmap\t${two}`,
    roadmap,
    `record_${two}_7`,
    `roadmap;${roadmap};21;-`,
    `roadmap ${roadmap} 21`,
  ]
  await office.says(`/invite ${lines.join('\n')}`)
  const csv = office.file('.csv')
  expect(
    csv.startsWith('\uFEFFtoken,kind,external_id,code,link,error,title,name,line,same_as_line,given\r\n'),
  ).toBe(true)
  const rows = rowsOf(csv)
  expect(rows).toHaveLength(7)
  expect(rows[0]).toMatch(
    new RegExp(`^${one},record,12,[a-z2-7]{12},https://t\\.me/\\w+\\?start=i_[a-z2-7]{12},,[^,]+,,2,,$`),
  )
  const wrong = (line: number, problem: 'line' | 'record' | 'ids') =>
    word('line-problem-at', { line, problem: word(`line-problem.${problem}`) })
  expect(rows[1]).toBe(`,,,,,${wrong(4, 'line')},,,4,,nonsense`)
  expect(rows[2]).toBe(`${two},roadmap,,,,${wrong(5, 'record')},,,5,,`)
  expect(rows[3]).toMatch(new RegExp(`^${roadmap},roadmap,,[a-z2-7]{12},`))
  expect(rows[4]).toMatch(new RegExp(`^${two},record,7,[a-z2-7]{12},`))
  expect(rows[5]).toMatch(new RegExp(`^${roadmap},roadmap,21 -,[a-z2-7]{12},`))
  expect(rows[4]).toContain(',7,5,')
  expect(rows[6]).toBe(`${roadmap},roadmap,21,,,${wrong(9, 'ids')},,,9,6,`)
  // Line 9 got none, so the notice does not promise it one.
  expect(office.heard).toContain(word('batch-twice', { lines: '7، 8' }))
  expect(office.heard).toContain('در ستون error')
  const sheet = office.file('.html')
  expect(sheet.match(/<svg /g)).toHaveLength(4)
  expect(sheet).not.toMatch(/<(?:script|img|link)/)
  expect(sheet).toContain(`<bdi dir="ltr">@${office.world.emulator.username}</bdi>`)
  const code = /i_[a-z2-7]{12}/.exec(rows[0] ?? '')?.[0] ?? ''
  const sara = office.join(one)
  await sara.opens(code)
  expect(sara.place).toBe('introduction')
})

story('the lines can come as a document, after /invite or with it as caption', async ({ work }) => {
  const office = await work()
  const tokens = [office.addRecord(), office.addRecord()]
  const bytes = Buffer.from(`\uFEFF${tokens.join('\r\n')}\r\n`)
  await office.acts(() => office.person.sendDocument({ fileName: 'a.csv', bytes }))
  expect(office.file('.csv')).toBe('')
  expect(office.heard).toBe(word('command-near', { command: '/invite' }))
  // A phone may capitalize the command.
  await office.acts(() => office.person.sendDocument({ fileName: 'a.csv', bytes, caption: '/Invite' }))
  expect(rowsOf(office.file('.csv'))).toHaveLength(2)
  await office.says('/invite')
  expect(office.heard).toContain(word('invite-ask', { lines: 1_000 }).split('.')[0])
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(tokens.slice(0, 1).join(), 'utf16le')])
  await office.acts(() => office.person.sendDocument({ fileName: 'b.TXT', bytes: wide }))
  expect(office.invitation).toMatch(/^i_/)
})

story(
  'lines that give one number to several tests are named, since the service refuses it',
  async ({ work }) => {
    const office = await work()
    const [one, two, three] = [office.addRecord(), office.addRecord(), office.addRecord()]
    await office.says(
      `/invite ${one} 4711\n${one} 4711\n${two} ۴۷۱۱\n${three} 4712\nrecord ${three.replace(/.$/, 'x')} 4712`,
    )
    expect(office.chat).toContain(word('batch-taken', { lines: '3' }))
  },
)

story('lines whose birth date the test does not admit are named', async ({ work }) => {
  const office = await work({ sandbox: { tests: [shortTest({ minAge: 18, maxAge: 40 })] } })
  const add = () => office.addRecord('short')
  await office.says(`/invite ${add()}, 1375/5/12\n${add()}, 1399/1/1\n${add()}\n${add()}, 1320/5/12`)
  expect(office.chat).toContain(word('batch-unfit', { lines: '2، 4' }))
})

story('a batch that is named while its list is being sent is sent once', async ({ work }) => {
  const office = await work()
  const tokens = [office.addRecord(), office.addRecord()]
  const named = () => {
    office.person.tap(word('button-group-name'))
    office.person.say('کلاس ۷')
    return true
  }
  office.world.emulator.fault({ kind: 'delay', ms: 1_000, method: 'sendDocument', times: 1, when: named })
  await office.says(`/invite ${tokens.join('\n')}`)
  expect(office.chat).toContain(word('group-named', { name: 'کلاس ۷' }))
  const lists = office.fromBot().filter(({ document }) => document?.file_name?.endsWith('.csv'))
  expect(lists).toHaveLength(1)
})

story('the lists of two batches under way say whose they are', async ({ work }) => {
  const office = await work()
  const bytes = Buffer.from([office.addRecord(), office.addRecord()].join('\n'))
  await office.acts(() => {
    office.person.sendDocument({ fileName: 'کلاس ۷.csv', bytes, caption: '/invite' })
    office.person.sendDocument({ fileName: 'کلاس <۸>.csv', bytes, caption: '/invite' })
  })
  for (const name of ['کلاس ۷', 'کلاس <۸>'])
    for (const said of [word('batch-caption', { made: 2, failed: 0 }), word('batch-sheet-caption')])
      expect(office.chat).toContain(`${name}\n${said}`)
})

story('a file that is no list of lines is refused with a reason', async ({ work }) => {
  const office = await work()
  const sends = (fileName: string, bytes: Buffer) =>
    office.acts(() => office.person.sendDocument({ fileName, bytes, caption: '/invite' }))
  await sends('a.csv', Buffer.from([0, 1, 2, 255, 254]))
  expect(office.heard).toBe(word('invite-file-kind'))
  await sends('a.pdf', Buffer.from('x'))
  expect(office.heard).toBe(word('invite-file-kind'))
  await sends('a.csv', Buffer.alloc(2 * 2 ** 20 + 1, 'x'))
  expect(office.heard).toBe(word('invite-file-large', { megabytes: 2 }))
  await sends('a.csv', Buffer.from('\n\n,,\n'))
  expect(office.heard).toBe(word('invite-none'))
  await sends('a.csv', Buffer.from('x\n'.repeat(1_001)))
  expect(office.heard).toBe(word('invite-too-many', { lines: 1_000 }))
  await office.says('/invite')
  await office.says('۲')
  // A hint for organizers who have forgotten the open question.
  expect(office.heard).toContain('/cancel')
  await office.says('/cancel')
  await office.says('00000000-0000-4000-8000-000000000000')
  expect(office.heard).not.toContain(word('organizer-unknown'))
})

story('an invitation’s link ends the wait for lines; a payload or its link is a line', async ({ work }) => {
  const office = await work()
  const token = office.addRecord()
  const linkTo = (payload: string) => `https://t.me/${office.world.emulator.username}?start=${payload}`
  for (const line of [`record_${token}`, linkTo(`record_${token}`)]) {
    await office.says('/invite')
    await office.says(line)
    expect(office.invitation).toMatch(/^i_/)
  }
  const link = linkTo(office.invitation)
  await office.says('/invite')
  await office.says(link)
  expect(office.data).toContainEqual(expect.stringMatching(/^begin:/))
  await office.says(token)
  expect(office.heard).not.toContain('start=i_')
})

onBothStores('a batch survives a restart, and makes nothing when the key is refused', async ({ work }) => {
  const office = await work()
  const tokens = Array.from({ length: 30 }, () => office.addRecord())
  const { sandbox, restarts } = office.world
  sandbox.fault({ kind: 'status', status: 401, times: 1 } as never)
  await office.says(`/invite\n${tokens.join('\n')}`)
  expect(office.heard).toContain(word('batch-stopped-key'))
  office.person.say(`/invite\n${tokens.join('\n')}`)
  await restarts()
  await office.world.settled()
  const rows = rowsOf(office.file('.csv'))
  expect(rows.map((row) => row.slice(0, 36))).toEqual(tokens)
  expect(new Set(rows.map((row) => row.split(',')[3])).size).toBe(30)
  const [, ...pages] = office.file('.html').split('class="page"')
  expect(pages.map((page) => page.split('class="card"').length - 1)).toEqual([12, 12, 6])
})

story(
  'a text that Telegram cuts into several messages is one batch, even if cut within a line',
  async ({ work }) => {
    const office = await work({ environment: UNHURRIED })
    const tokens = Array.from({ length: 120 }, () => office.addRecord())
    const text = tokens.map((token, index) => `record ${token} ${index + 1}`).join('\n')
    const parts: string[] = []
    for (let at = 0; at < text.length; at += 4_000) parts.push(text.slice(at, at + 4_000))
    expect(parts.length).toBeGreaterThan(1)
    await office.says('/invite')
    await office.acts(() => {
      for (const part of parts) office.person.say(part)
    })
    const rows = rowsOf(office.file('.csv'))
    expect(rows.map((row) => row.split(',')[0])).toEqual(tokens)
    expect(rows.filter((row) => !/,i_|[a-z2-7]{12},/.test(row))).toEqual([])
    // Where the last part is as long as a cut one, a short silence ends the batch.
    await office.acts(() => office.person.say(`/invite ${text.slice(0, text.lastIndexOf('\n', 4_000))}`))
    office.world.passWith(3_000)
    await office.world.settled()
    expect(office.heard).toContain(
      word('invite-batch', { lines: text.slice(0, 4_000).split('\n').length - 1 }),
    )
  },
)

story('a list of three hundred becomes links, codes and a printed sheet', async ({ work }) => {
  const office = await work({ environment: UNHURRIED })
  const tokens = Array.from({ length: 300 }, () => office.addRecord())
  const bytes = Buffer.from(`token,external_id\n${tokens.map((token, at) => `${token},${at}`).join('\n')}`)
  await office.acts(() => office.person.sendDocument({ fileName: 'a.csv', bytes, caption: '/invite' }))
  const rows = rowsOf(office.file('.csv')).map((row) => row.split(','))
  expect(rows.map(([token, , id]) => [token, id])).toEqual(tokens.map((token, at) => [token, String(at)]))
  expect(new Set(rows.map(([, , , code]) => code)).size).toBe(300)
  expect(office.file('.html').match(/<svg/g)).toHaveLength(300)
})

story(
  'an organizer who blocks the bot gets the list and the sheet once, with the next /start',
  async ({ work }) => {
    const office = await work({ environment: UNHURRIED })
    const description = 'Forbidden: bot was blocked by the user'
    const documents = () => office.fromBot().filter(({ document }) => document).length
    const tokens = [office.addRecord(), office.addRecord()]
    office.world.emulator.fault({ kind: 'error', status: 403, description, method: 'sendDocument' })
    await office.says(`/invite ${tokens.join('\n')}`)
    expect(documents()).toBe(0)
    await office.opens('')
    await office.opens('')
    expect(documents()).toBe(2)
    expect(rowsOf(office.file('.csv')).map((row) => row.slice(0, 36))).toEqual(tokens)
    expect(office.file('.html').match(/<svg/g)).toHaveLength(2)
  },
)

story(
  'the table says what is wrong with a line; a participant only confirms the details given',
  async ({ work }) => {
    const office = await work()
    const [one, two, three] = [office.addRecord(), office.addRecord(), office.addRecord()]
    const lines = [
      `${one}, 12, زهرا محمدي, 1375/5/12, +98 912 345 6789`,
      one.slice(1),
      `${two}, 13, ${'<b>x</b>'}`,
      `=HYPERLINK("x")`,
      three,
    ]
    await office.says(`/invite ${lines.join('\n')}`)
    const rows = rowsOf(office.file('.csv'))
    expect(rows).toHaveLength(5)
    expect(rows[0]).toContain(',زهرا محمدی,1,')
    expect(rows[0]).not.toMatch(/9123456789|\+98/)
    const said = (line: number, problem: string) => word('line-problem-at', { line, problem })
    expect(rows[1]).toContain(said(2, word('line-problem-length', { length: 35 })))
    expect(rows[1]).toContain(one.slice(1))
    expect(rows[2]).toContain(word('line-problem-part', { part: '<b>x</b>' }))
    expect(rows[3]).toContain("'=HYPERLINK")
    // The cards to cut out show the name, and the code in groups that can be read aloud.
    const code = rows[0]?.split(',')[3] ?? ''
    expect(office.file('.html')).toContain('<i>زهرا محمدی</i>')
    expect(office.file('.html')).toContain((code.match(/.{4}/g) ?? []).join(' '))
    // A single line gets the same answer in the chat.
    await office.says(`/invite ${one.slice(1)}`)
    expect(office.heard).toContain(word('line-problem-length', { length: 35 }))
    expect(office.heard).toContain('\u200e[record|roadmap] UUID')

    const sara = office.join(one)
    await sara.says(`کد من ${(code.match(/.{4}/g) ?? []).join(' ').toUpperCase()} است`)
    expect(sara.place).toBe('introduction')
    await sara.taps(/^begin:/)
    expect(sara.place).toBe('gender')
    await sara.goesOn()
    expect(sara.place).toBe('summary')
    expect(sara.screen).toContain('زهرا محمدی')
    expect(sara.screen).toContain('۱۲ مرداد ۱۳۷۵')
    expect(sara.screen).toContain('09123456789')
    await sara.walksTo('question')
  },
)

story(
  'details given by an organizer are kept 90 days; after that the participant is asked as usual',
  async ({ work }) => {
    const office = await work()
    const [soon = '', late = ''] = [1, 2].map(() => office.addRecord())
    const known = (token: string) => `/invite ${token}, 21, زهرا محمدی, 1375/05/12, 09123456789`
    await office.says(`${known(soon)}\n${late}, 22, زهرا محمدی, 1375/05/12, 09123456789`)
    const rows = rowsOf(office.file('.csv'))
    const begins = async (token: string, row: string | undefined) => {
      const sara = office.join(token)
      await sara.opens(`i_${row?.split(',')[3]}`)
      await sara.taps(/^begin:/)
      return sara.place
    }
    office.world.pass(89 * 24 * 3_600_000)
    expect(await begins(soon, rows[0])).toBe('gender')
    office.world.pass(2 * 24 * 3_600_000)
    expect(await begins(late, rows[1])).toBe('name')
  },
)

story('/invite with a code shows that invitation, also one made by a colleague', async ({ work }) => {
  const office = await work({ environment: { ORGANIZERS: '4001,4002' } })
  const token = office.addRecord()
  const code = (await office.invites(token)).slice(2)
  const mina = createAccount(office.world, office.world.emulator.person({ id: 4002, firstName: 'مینا' }), '')
  await mina.opens('')
  await mina.says(`/invite ${code.toUpperCase()}`)
  expect(mina.data).toContain(`revoke:${code}`)
  await mina.says(`/records ${token}`)
  await mina.taps(`made:${code}`)
  await mina.taps(`to:${code}:organizer`)
  await mina.taps(`expire:${code}:7`)
  await mina.taps(`revoke:${code}`)
  expect(mina.screen).toContain(word('invitation-was-revoked'))
  await mina.says(`/records ${token}`)
  expect(mina.data).not.toContain(`made:${code}`)
  const sara = office.join(token)
  await sara.opens(`i_${code}`)
  expect(sara.heard).toBe(word('invitation-revoked'))
})

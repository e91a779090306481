import { expect, test } from 'vitest'
import { invitationCsv, statusCsv } from '../../src/views/csv.ts'
import { texts } from '../words.ts'

async function titleIn(title: string) {
  async function* rows() {
    yield { token: 't', kind: 'record', title, stage: 'opened' } as const
  }
  let text = ''
  for await (const line of statusCsv(rows())) text += Buffer.from(line).toString()
  const [, row = ''] = text.split(/\r\n(?=t,)/)
  return row.slice('t,record,'.length)
}

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\u00a0=1',
  '\u200f=1',
  '\ufeff=1',
  '"=1',
  '«=1',
  '(=1',
  '＝1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '﹦1',
  '﹣1',
  '\ufe0f=1',
])('a title %j is no formula of a spreadsheet', async (title) => {
  expect(await titleIn(title)).toMatch(/^"?'/)
})

test.each(['حال;=1+1', 'حال؛ ＝1', 'حال\t@SUM(A1)', 'حال\n-1'])(
  'text behind a possible cell separator in %j is no formula either',
  async (title) => {
    expect(await titleIn(title)).toMatch(/[;؛\t\n]'\s?[=＝@-]/)
  },
)

test.each(['افسردگی', '«حال» من', 'a=b', '(2-1)', '۱۲', 'الف؛ ب'])(
  'a title %j stays as it is',
  async (title) => {
    expect(await titleIn(title)).toMatch(new RegExp(`^${title.replace(/[()]/g, '\\$&')},`))
  },
)

test('role ids without a first one are no formula either', () => {
  const row = { line: 1, token: 't', kind: 'roadmap' as const, externalIds: [null, 102] }
  expect(invitationCsv([row], 'porsa', texts.for('fa'))).toContain("\r\nt,roadmap,'- 102,")
})

import { expect, test } from 'vitest'
import { statusCsv } from '../../src/views/status-csv.ts'

const titleIn = (title: string) => {
  const [, row = ''] = statusCsv([{ token: 't', kind: 'record', title, stage: 'opened' }]).split(/\r\n(?=t,)/)
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
])('a title %j is no formula of a spreadsheet', (title) => {
  expect(titleIn(title)).toMatch(/^"?'/)
})

test.each(['افسردگی', '«حال» من', 'a=b', '(2-1)', '۱۲'])('a title %j stays as it is', (title) => {
  expect(titleIn(title)).toMatch(new RegExp(`^${title.replace(/[()]/g, '\\$&')},`))
})

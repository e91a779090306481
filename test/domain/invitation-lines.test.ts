import { expect, test } from 'vitest'
import {
  idsOfRoles,
  joinParts,
  MOST_LINES,
  readIds,
  readLine,
  textIn,
  titledLines,
} from '../../src/domain/invitation-lines.ts'

const T = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  [T, { token: T }],
  [T.toUpperCase(), { token: T }],
  [`record ${T}`, { token: T, kind: 'record' }],
  [`Roadmap,${T}`, { token: T, kind: 'roadmap' }],
  [`roadmap,${T},`, { token: T, kind: 'roadmap' }],
  [`record;${T};4711`, { token: T, kind: 'record', externalId: 4711 }],
  [`${T},007`, { token: T, externalId: 7 }],
  [`${T}،7`, { token: T, externalId: 7 }],
  [`${T}\t۴۷۱۱`, { token: T, externalId: 4711 }],
  [`"${T}","-5"`, { token: T, externalId: -5 }],
  [` " ${T} " `, { token: T }],
  [`,${T},7`, { token: T, externalId: 7 }],
  [`${T},9123456789`, { token: T, externalId: 9_123_456_789 }],
  [`record_${T}`, { token: T, kind: 'record' }],
  [`record_${T}_12`, { token: T, kind: 'record', externalId: 12 }],
  [`roadmap_${T}`, { token: T, kind: 'roadmap' }],
  [`https://t.me/porsa_bot?start=record_${T}_12`, { token: T, kind: 'record', externalId: 12 }],
  [`tg://resolve?domain=porsa_bot&start=roadmap_${T}`, { token: T, kind: 'roadmap' }],
])('%j is a line', (text, line) => {
  expect(readLine(text)).toEqual({ line: { kind: undefined, externalId: undefined, ...line } })
})

test.each([
  [`roadmap ${T} 5`, [5]],
  [`roadmap,${T},101,102,103`, [101, 102, 103]],
  [`Roadmap;${T};۱۰۱ - -3;`, [101, null, -3]],
])('%j gives an id to each role', (text, externalIds) => {
  expect(readLine(text)).toEqual({ line: { token: T, kind: 'roadmap', externalIds } })
})

test.each([
  ['', 'line-bad'],
  ['record', 'line-bad'],
  [`test ${T}`, 'line-bad'],
  [`${T} seven`, 'line-bad'],
  [`${T} 1 2`, 'line-bad'],
  [`${T} 99999999999999999`, 'line-bad'],
  [`record ${T} 9999999999999999`, 'line-bad'],
  [`roadmap_${T}_5`, 'line-bad'],
  [`https://t.me/porsa_bot?start=record_${T}, 12`, 'line-bad'],
  [`record ${T} 1 2`, 'line-bad'],
  [`roadmap ${T} 1 x`, 'line-bad'],
  [`roadmap ${T} 1 9999999999999999`, 'line-bad'],
])('%j is not a line', (text, problem) => {
  expect(readLine(text)).toMatchObject({ problem })
})

test.each([
  [`${T},زهرا محمدي`, { details: { name: 'زهرا محمدی' } }],
  [
    `record ${T};4711;1375/5/12;0098 912 345 6789`,
    { kind: 'record', externalId: 4711, details: { birth: '1996-08-02', mobile: '09123456789' } },
  ],
  [`${T}\t۰۹۱۲۳۴۵۶۷۸۹\tرضا راد\t`, { details: { mobile: '09123456789', name: 'رضا راد' } }],
  [`${T},زهرا, 4711`, { externalId: 4711, details: { name: 'زهرا' } }],
  [`${T};09123456789;`, { details: { mobile: '09123456789' } }],
  [`${T}, ۱۲ مرداد ۱۳۷۵ ، سارا`, { details: { birth: '1996-08-02', name: 'سارا' } }],
  // A spreadsheet drops the zero.
  [`${T},زهرا,9123456789`, { kind: 'record', details: { name: 'زهرا', mobile: '09123456789' } }],
  [`${T},12,989123456789`, { externalId: 12, details: { mobile: '09123456789' } }],
  // An id, as no mobile begins so.
  [`${T},زهرا,9812345678`, { externalId: 9_812_345_678, details: { name: 'زهرا' } }],
  [`${T},,,,09123456789`, { kind: 'record', details: { mobile: '09123456789' } }],
])('%j gives details of its participant', (text, line) => {
  const read = readLine(text, '2026-11-24')
  expect(read).toMatchObject({ line: { token: T, ...line } })
  expect(read).not.toHaveProperty('problem')
})

test.each([
  [T.slice(1), { length: 35 }],
  [`record ${T}a,5`, { length: 37 }],
  [`${T},زهرا,رضا`, { part: 'رضا' }],
  [`${T},4711,4712`, { part: '4712' }],
  [`${T},912 345 6789`, { part: '912 345 6789' }],
  [`${T},- 5`, { part: '- 5' }],
  [`${T},1375/5/12,1375/5/13`, { part: '1375/5/13' }],
  [`${T},09123456789,09123456780`, { part: '09123456780' }],
  [`${T},Zahra`, { part: 'Zahra' }],
  [`roadmap ${T},زهرا`, { part: 'زهرا' }],
  ['hello', {}],
])('%j is refused with its flaw', (text, flaw) => {
  expect(readLine(text, '2026-11-24')).toMatchObject({ problem: 'line-bad', flaw })
})

const splitLines = (text: string) => titledLines(text).lines.map((line) => line.text)

test('empty lines, invisible marks and a heading are left out', () => {
  expect(splitLines(`\uFEFFtoken,external_id\r\n${T},1\r\n\r\n;;\n\u200f${T}\n`)).toEqual([`${T},1`, T])
  for (const heading of ['توکن', 'توکن,شناسه', 'participant;uuid', 'Nom\tRéférence'])
    expect(splitLines(`${heading}\n${T}`)).toEqual([T])
  expect(splitLines(`rekord,12\n${T}`)).toEqual(['rekord,12', T])
  expect(splitLines(`nonsense\n${T}`)).toEqual(['nonsense', T])
  const mistyped = `record ${T.slice(0, -1)}`
  for (const first of [mistyped, mistyped.replaceAll(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'[Number(digit)] ?? '')])
    expect(splitLines(`${first}\n${T}`)).toEqual([first, T])
})

test('of millions of lines only some are read, and still too many', () => {
  const { length } = splitLines('x\n'.repeat(2_000_000))
  expect(length).toBeGreaterThan(MOST_LINES)
  expect(length).toBeLessThan(1_000_000)
})

test('a line without details has no field for them, and a bad line shows its token', () => {
  expect(readLine(`${T},,7`)).toStrictEqual({ line: { token: T, kind: undefined, externalId: 7 } })
  expect(readLine(`${T};;-`)).toMatchObject({ problem: 'line-bad' })
  expect(readLine(`${T.toUpperCase()} seven`)).toMatchObject({ problem: 'line-bad', token: T })
  expect(readLine('seven')).toMatchObject({ problem: 'line-bad', token: '' })
})

test('a line has its number in the file, and no space around it', () => {
  expect(titledLines(`token\n\n ${T} \n`).lines).toEqual([{ number: 3, text: T }])
})

test.each([
  [`# کلاس ۷ب\ntoken,external_id\n${T},1`, 'کلاس ۷ب'],
  [`# کلاس ب, دخترانه\n${T},1`, 'کلاس ب, دخترانه'],
  // A spreadsheet fills up a row; a lone «#» is the heading of a column.
  [`# کلاس ۷ب,,,\n${T},1`, 'کلاس ۷ب'],
  [`#,token,id\n${T},1`, undefined],
])('the title of %j is not a heading, and a heading below it is left out', (text, name) => {
  const { title, lines } = titledLines(text)
  expect([title?.trim(), lines.map((line) => line.text)]).toEqual([name, [`${T},1`]])
})

test('a file is read in UTF-8 and in UTF-16, and one that is not text is not read', () => {
  const wide = Buffer.from(`\uFEFF${T}\r\n`, 'utf16le')
  expect([wide, Buffer.from(T)].map((bytes) => titledLines(textIn(bytes) ?? '').lines[0]?.text)).toEqual([
    T,
    T,
  ])
  expect([Buffer.from([0, 1, 2]), Buffer.from([0xc3, 0x28])].map(textIn)).toEqual([undefined, undefined])
})

test.each([
  [[`${T},1`, `${T},2`], `${T},1\n${T},2`],
  [[`${T},1\n${T.slice(0, 20)}`, `${T.slice(20)}\n${T},2`], `${T},1\n${T}\n${T},2`],
  [[` record `, ` ${T} `], `record ${T}`],
  [[`${T},1`, 'hello'], `${T},1\nhello`],
  [[`${T}`, '5'], `${T} 5`],
  [['hello', `${T},2`], `hello\n${T},2`],
  [[`x\n${T}`, `${T}`], `x\n${T}\n${T}`],
  [[], ''],
])('the parts %j are joined', (parts, text) => {
  expect(joinParts(parts)).toBe(text)
})

test('ids are given to as many roles', () => {
  const roles = [1, 2, 3].map((id) => ({ id, title: `r${id}` }))
  expect(idsOfRoles(roles, [7, null, 0])).toEqual([
    { role: 1, title: 'r1', externalId: 7 },
    { role: 3, title: 'r3', externalId: 0 },
  ])
  expect(idsOfRoles(roles, [7, 8])).toBeUndefined()
})

test.each([
  ['1, -2;-', [1, -2, null]],
  ['', []],
  ['1e3', undefined],
  ['0x10', undefined],
  ['9999999999999999', undefined],
])('ids %j are read as %j', (text, ids) => {
  expect(readIds(text)).toEqual(ids)
})

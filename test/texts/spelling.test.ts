import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const texts = ['locales', 'docs', 'src', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ftl|md|ts|js|html)$/.test(name) && !name.endsWith('package.json'))
    .map((name) => join(folder, name)),
)

/** One word for one thing, in one spelling: the variants listed here must not occur. */
test.each([
  ['گفتگو', /گفت[\s\u200c]?و[\s\u200c]?گو|گفتوگو/],
  ['برگزارکننده', /برگزار[\s\u200c]کننده|دعوت[\s\u200c]?کننده|سازمان[\s\u200c]?دهنده/],
  ['گزارش ترکیبی', /(?:گزارش|تحلیل) (?:تلفیقی|تجمیعی|مشترک)|تحلیل ترکیبی/],
  ['شرکت‌کننده', /شرکت کننده|شرکتکننده|آزمون[\s\u200c]?دهنده/],
  ['شناسهٔ خارجی', /شناسهٔ بیرونی/],
  ['تمام شد', /پایان[\s\u200c]یافت|تمام[\s\u200c]شده(?! است)|انجام شده|نتیجه رسیده/],
  ['لینک', /پیوند(?! با)/],
  ['مشخصات', /پروفایل(?!\/,)/],
])('«%s» is spelled in one way', (_, others) => {
  expect(texts.filter((name) => others.test(readFileSync(join(root, name), 'utf8')))).toEqual([])
})

test('yeh, kaf and heh are the Persian letters', () => {
  const arabic = texts.filter(
    (name) => name.endsWith('.ftl') && /[يكة]|ه‌ی /.test(readFileSync(join(root, name), 'utf8')),
  )
  expect(arabic).toEqual([])
})

import { expect, test } from 'vitest'
import { isBareCode, parseSmsCode } from '../../../src/domain/persian/code.ts'
import { parseTypedOption } from '../../../src/domain/persian/option-number.ts'

test.each([
  ['12345', '12345'],
  ['۱۲۳۴۵', '12345'],
  ['١٢٣٤٥', '12345'],
  ['１２３４５', '12345'],
  ['012', '012'],
  ['1234567890', '1234567890'],
  ['12 345', '12345'],
  ['12-345', '12345'],
  ['۱۲\u200c۳۴۵', '12345'],
  ['1 2 3 4 5', '12345'],
  ['کد: ۱۲۳۴۵', '12345'],
  ['كد ۱۲۳۴۵', '12345'],
  ['code 12345', '12345'],
  ['کد تأیید شما: 12345', '12345'],
  ['Your code is 12345.', '12345'],
  ['کد تأیید شما: 12345\nلغو11', '12345'],
  ['کد ورود: ۱۲۳۴۵\nاعتبار: ۵ دقیقه\nلغو۱۱', '12345'],
  ['\u200e12345\u200e', '12345'],
  ['کد شما: ۱۲۳۴۵. این کد را برای کسی ارسال نکنید یا نفرستید', '12345'],
  ['Your code: 12345. Never share or send it, also if you did not request it', '12345'],
])('the SMS code is read in %s', (text, code) => {
  expect(parseSmsCode(text)).toBe(code)
})

test.each([
  '',
  '12',
  '12345678901',
  '09123456789',
  'کد',
  'سلام 1234',
  'کد 12345 یا 54321',
  'لغو 11',
  '۱۲:۳۴۵',
  '12.5a',
  'پیامک ۳۰۰ ثانیه شد دریافت نکردم',
  'کد به گوشی ۰۹۱۲ ارسال نمیشه',
  'کد ۱۲۳۴ ارسال نشد',
  'کد ۱۲۳۴۵ کار نکرد دوباره بفرستید',
  'no code in 100 minutes',
  'the code never came, waited 180 seconds',
  'please send the code again, not 12345',
])('no SMS code is read in %s', (text) => {
  expect(parseSmsCode(text)).toBeUndefined()
})

test.each([
  ['60053', true],
  ['کد تأیید: ۶۰۰۵۳', true],
  ['کد تاييد شما: 60-053', true],
  ['رمز عبور من ۶۰۰۵۳ است', true],
  ['Your verification code is 60053.', true],
  ['کد نیامد ۱۲۳۴ چیست؟', false],
  ['کد ۶۰۰۵۳ را قبول نمی‌کند', false],
  ['۵ سؤال دارم', false],
  ['کد', false],
])('«%s» is a code and nothing else: %s', (text, isBare) => {
  expect(isBareCode(text)).toBe(isBare)
})

const labels = ['هرگز', 'گاهی', 'همیشه']

test.each([
  ['2', 2],
  ['۲', 2],
  ['٢', 2],
  ['۲.', 2],
  ['۲)', 2],
  ['(۲)', 2],
  ['۲-', 2],
  ['02', 2],
  [' 12 ', 12],
  ['2️⃣', 2],
  ['گزینه ۲', 2],
  ['گزینهٔ ۲', 2],
  ['گزینه\u200cی ۲', 2],
  ['گزینه: ۲', 2],
  ['شماره ۲', 2],
  ['Option 2', 2],
  ['no. 2', 2],
])('an option is read in %s', (text, number) => {
  expect(parseTypedOption(text, labels)).toBe(number - 1)
})

test.each(['', '0', '-2', '2.5', '2 3', '1000', 'دو یا سه', 'کد ۲', '۲ سال', '2a'])(
  'no option is read in %s',
  (text) => {
    expect(parseTypedOption(text, labels)).toBeUndefined()
  },
)

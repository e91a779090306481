import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSmsCode, saysNoCode } from '../../../src/domain/persian/code.ts'

test.each([
  'کد نیومد',
  'کد نیومد!',
  'کد بده!',
  `${'ا '.repeat(96)}نیومد`.padStart(200),
  'کد نیومده',
  'كد نيومد',
  'کد نیامد',
  'کدی نیامده است',
  'سلام کد برای من نیومد',
  'نیومد',
  'نیامد',
  'نیومدش',
  'هنوز نیومده',
  'هنوز نرسیده',
  'نرسید',
  'پیامک نرسید',
  'پیامکی نرسیده است',
  'پیام نمیاد',
  'کد نمی‌آید',
  'کد نمی آید',
  'نمیرسه',
  'کد نمی‌رسد',
  'اس ام اس نیومد',
  'اس‌ام‌اس نرسید',
  'پیامک دریافت نکردم',
  'کد دریافت نشد',
  'دریافت نمی‌شود',
  'کدی دریافت نکردم',
  'کد نگرفتم',
  'کد ارسال نشد',
  'کد نفرستادید',
  'نفرستادین که',
  'کد ندارم',
  'کدی ندارم',
  'کد نداد',
  'کدم کو؟',
  'پس کد کو',
  'کو کد؟',
  'کد کجاست؟',
  'کد چی شد؟',
  'کد نیست',
  'پیامکی نیست که',
  'کد رو پیدا نکردم',
  'دوباره بفرست',
  'مجدداً ارسال کنید',
  'یه کد دیگه بفرستید',
  'کد بفرست',
  'بعد از ۱۰ دقیقه هنوز کد نیومده',
  'code did not come',
  "the code didn't come",
  'the code didn’t arrive',
  'Code not received',
  'I have not received the code',
  "I haven't got any code",
  'i did not get it',
  'never arrived',
  'no code',
  'No SMS!',
  'no sms came',
  'where is the code?',
  "where's my code",
  'resend',
  'send again please',
  'send me another code',
  'code nayumad',
  'kod nayoomad',
  'nayomade',
  'sms naresid',
  'nemiad',
])('«%s» says that no code came', (text) => {
  expect(saysNoCode(text)).toBe(true)
  expect(parseSmsCode(text)).toBeUndefined()
})

test.each([
  '۱۲۳۴۵',
  '١٢٣٤٥',
  '12 345',
  'کد: ۱۲۳۴۵',
  'کد تأیید شما ۱۲۳۴۵ است',
  'your code is 12345. do not share it',
  'کد ۱۲۳۴۵ نیومد',
  'سلام',
  'کد چند رقم است؟',
  'کد درست نیست',
  'کد اشتباه است',
  'the code is wrong, not accepted',
  'بله',
  'ممنون',
  'زهرا محمدی',
  'کد',
  'چطور ادامه بدم؟',
  'نمی‌خواهم',
  '',
])('«%s» does not say that no code came', (text) => {
  expect(saysNoCode(text)).toBe(false)
})

test('a text that reads as a code is never taken for a complaint', () => {
  const code = fc.stringMatching(/^[0-9۰-۹]{3,10}$/)
  const around = fc.constantFrom('', 'کد: ', 'کد نیومد ', 'no code ', 'رمز ')
  fc.assert(fc.property(around, code, (before, digits) => saysNoCode(before + digits) === false))
})

test('a hostile text costs no time', () => {
  fc.assert(fc.property(fc.string({ maxLength: 5_000 }), (text) => typeof saysNoCode(text) === 'boolean'))
  expect(saysNoCode('کد '.repeat(5_000))).toBe(false)
})

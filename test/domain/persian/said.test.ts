import { expect, test } from 'vitest'
import { parseGender } from '../../../src/domain/persian/gender.ts'
import { parseSaidMobile } from '../../../src/domain/persian/mobile.ts'
import { readNumberWords } from '../../../src/domain/persian/number-words.ts'
import { introducedName, parseSaying, parseWrongField, saysSame } from '../../../src/domain/persian/saying.ts'
import { isDistress, wishOf } from '../../../src/domain/persian/wishes.ts'

test.each([
  ['سلام!', 'greeting'],
  ['وقت بخیر', 'greeting'],
  ['سلام وقت بخیر', 'greeting'],
  ['سلام، وقتتون بخیر!', 'greeting'],
  ['سلام خسته نباشید', 'greeting'],
  ['خسته نباشید', 'greeting'],
  ['سلام خوبید', 'greeting'],
  ['سلام، خوبین؟', 'greeting'],
  ['سلام و درود', 'greeting'],
  ['سلام علیکم، وقت شما بخیر', 'greeting'],
  ['سلام‌الله رضایی', undefined],
  ['سلام علی رضایی هستم', undefined],
  ['خوبی', undefined],
  ['همون قبلی', 'yes'],
  ['بله', 'yes'],
  ['بله، درسته', 'yes'],
  ['نتیجه من کجاست', 'result'],
  ['لطفا پاسخ ها رو بفرست', 'send'],
  ['ادامه میدم', 'go'],
  ['شروع میکنم', 'go'],
  ['لطفا من همه سوال رو بفرست', 'send'],
  ['لطفا من همه چیز سوال رو بفرست', undefined],
  ['لطفا', undefined],
  ['بله نه', undefined],
  ['بله بفرست', 'send'],
  ['بله، شروع می‌کنم', 'go'],
  ['باشه شروع کن', 'go'],
  ['بفرست بله', undefined],
  ['بله فردا', undefined],
  ['بله بفرست مرور', undefined],
  ['برگشت', 'back'],
  ['بازگشت', 'back'],
  ['go back', 'back'],
  ['stop', 'later'],
  ['بفرستم', undefined],
  ['بفرستم؟', undefined],
  ['بله؟ چی', undefined],
  // The marks of other keyboards.
  ['بله？', undefined],
  ['بله⁇', undefined],
  ['درسته？ بله', 'yes'],
  ['درسته؟ همین', undefined],
  ['بفرستید؟ همین', undefined],
  ['ارسال؟', undefined],
  ['send?', undefined],
  ['بله؟', undefined],
  ['بله ؟؟ 🙏', undefined],
  ['درسته؟!', undefined],
  ['همون قبلی؟', undefined],
  ['شروع کنم؟', undefined],
  ['درسته؟ بله', 'yes'],
  ['نتیجه من کو؟', 'result'],
  ['فردا', undefined],
  ['فردا بله', undefined],
  ['', undefined],
  ['؟', undefined],
])('%j means %s', (text, saying) => {
  expect(parseSaying(text)).toBe(saying)
})

test.each([
  ['سلام علی رضایی هستم', 'علی رضایی'],
  ['سلام، وقت بخیر. علي رضايي هستم.', 'علی رضایی'],
  ['سلام و درود من علی رضایی هستم', 'علی رضایی'],
  ['من علی رضایی هستم', 'علی رضایی'],
  ['من علی رضایی‌ام', 'علی رضایی'],
  ['علی رضایی هستم', 'علی رضایی'],
  ['اسمم علی رضایی هست', 'علی رضایی'],
  ['اسم من علی رضایی است', 'علی رضایی'],
  ['نام من: علی رضایی', 'علی رضایی'],
  ['سلام خسته نباشید اسمم علی رضایی هست', 'علی رضایی'],
  ['سلام‌الله رضایی', 'سلام‌الله رضایی'],
  ['سلام‌الله رضایی هستم', 'سلام‌الله رضایی'],
  ['سلام الله رضایی', 'سلام الله رضایی'],
  ['سلام الله رضایی هستم', 'سلام الله رضایی'],
  ['منصور هستی', 'منصور هستی'],
  ['من منصور هستی هستم', 'منصور هستی'],
  ['درودی', 'درودی'],
  ['علی اسمم', 'علی اسمم'],
])('%j introduces %j', (text, name) => {
  expect(introducedName(text)).toBe(name)
})

test.each([
  ['بله', 'بله!', true],
  ['بله', 'نه', false],
  ['!', '؟', false],
  ['فرستادن پاسخ‌ها', 'فرستادن پاسخها', true],
  ['سؤالی دارم', 'سوالی دارم', true],
  ['۱ ۲', '۱۲', false],
  ['بله', 'بله؟', false],
  ['چطور پاسخ بدهم؟', 'چطور پاسخ بدهم؟', true],
  ['چطور پاسخ بدهم؟', 'چطور پاسخ بدهم', true],
])('%j and %j mean the same: %s', (one, other, isSame) => {
  expect(saysSame(one, other)).toBe(isSame)
})

test.each([
  ['شماره اشتباهه', 'mobile'],
  ['لطفا من شماره رو تغییر بده', 'mobile'],
  ['لطفا من این شماره رو تغییر بده', undefined],
  ['اسمم غلطه', 'name'],
  ['تصحیح نام', 'name'],
  ['فامیلم اشتباهه', 'name'],
  ['فامیلیم اشتباهه', 'name'],
  ['تصحیح تاریخ تولد', 'birth'],
  ['اسم و شماره اشتباهه', undefined],
  ['اشتباهه', undefined],
  ['شماره', undefined],
])('%j calls this field wrong: %s', (text, field) => {
  expect(parseWrongField(text)).toBe(field)
})

test.each([
  ['خانوم هستم', 'female'],
  ['مردم', 'male'],
  ['من یک مرد هستم و', 'male'],
  ['من یک مرد هستم و است', undefined],
  ['زن یا مرد', undefined],
  ['زن مرد', undefined],
  ['دختر؟', undefined],
  ['دختره', 'female'],
  ['پسره', 'male'],
  ['دخترمه', 'female'],
  ['دختر خانم', 'female'],
  ['آقا پسر', 'male'],
  ['دختر هستش', 'female'],
  ['آقا دختر', undefined],
  ['خان', undefined],
  ['I am a woman', 'female'],
  ['من', undefined],
  ['شاید', undefined],
])('%j means the gender %s', (text, gender) => {
  expect(parseGender(text)).toBe(gender)
})

test.each([
  ['لغو!', '/cancel'],
  ['لغو کن', '/cancel'],
  ['لغو کنم؟', undefined],
  ['لغو؟', undefined],
  [`cancel${'!'.repeat(54)}`, '/cancel'],
  [`cancel${'!'.repeat(55)}`, undefined],
  ['!delete my data', '/forget'],
  ['سلام', undefined],
])('%j asks for %s', (text, wish) => {
  expect(wishOf(text)).toBe(wish)
})

test.each([
  ['حالم خیلی بده', true],
  ['I want to die', true],
  ['حالم خوبه', false],
  ['حالم بد نیست', false],
  ['حالم خیلی بد نیست', false],
  ['حالم بد است', true],
  ['حالم بد', true],
  ['می‌خواهم خودم را بکشم', true],
  ['میخوام خودمو بکشم', true],
  ['خودمو میزنم', true],
  ['خودم رو می‌زنم', true],
  ['وقتی عصبانی میشم خودمو میزنم', true],
  ['شماره خودم رو بزنم؟', false],
  ['شماره خودمو میزنم 09121234567', false],
  ['خودمو میزنم ۰۹۱۲۱۲۳۴۵۶۷', false],
  ['شماره‌ی موبایل خودمو بزنم', false],
  ['اسم خودمو بزنم یا بچه‌م؟', false],
  ['اسم بچه‌م یا خودمو بزنم؟', false],
  ['دیگه نمیخوام زنده باشم', true],
  ['نمی‌خوام دیگه باشم', true],
  ['نمیخوام باشم', true],
  ['نمی‌خوام توی این دنیا باشم', true],
  ['نمی‌تونم زندگی کنم', true],
  ['دیگه نمی‌تونم باشم', true],
  ['نمی‌تونم دیگه باشم', true],
  ['نمیخوام این‌جوری باشم', true],
  ['نمیخوام سربار کسی باشم', true],
  ['الان نمی‌تونم کنارش باشم', false],
  ['نمیخوام شناخته باشم', false],
  ['میخوام بمیرم', true],
  ['دوست دارم همین الان بمیرم', true],
  ['میخوام نباشم', true],
  ['میخوام دیگه نباشم', true],
  ['کاش نبودم', true],
  ['کاش اینقدر بدبخت نبودم', true],
  ['کاش تو این دنیا نبودم', true],
  ['میخوام توی آزمون نباشم', false],
  ['کاش توی آزمون نبودم', false],
  ['I will end my life', true],
  ['end it all', true],
  ['please resend my code', false],
  ['send my result', false],
  ['please send it all', false],
])('%j may come from a person who needs help: %s', (text, isSo) => {
  expect(isDistress(text)).toBe(isSo)
})

const taken = { ok: true, mobile: '09123456789', unusual: false }
test.each([
  ['09123456789', taken],
  ['شمارم ۰۹۱۲۳۴۵۶۷۸۹ هست', taken],
  ['شمارم +98 912 345 6789 هست', taken],
  ['شمارم ۰۹۱۲۳۴۵۶۷۸۹ نیست', { ok: false, error: 'bad_char' }],
  ['شمارم 09123456789 یا 09351112233', { ok: false, error: 'bad_char' }],
  ['شمارم 09123456789 و خانه a5', { ok: false, error: 'bad_char' }],
  ['09123456789 😊', taken],
  ['📱۰۹۱۲ ۳۴۵ ۶۷۸۹', taken],
  ['☎️ +989123456789', taken],
  ['🇮🇷 09123456789 🙏🏻', taken],
  ['😊 0912345678', { ok: false, error: 'too_short' }],
  ['09123456789 😊 09351112233', { ok: false, error: 'bad_char' }],
  ['0912😊3456789', { ok: false, error: 'bad_char' }],
  ['😊', { ok: false, error: 'bad_char' }],
  ['x 09123456789', { ok: false, error: 'bad_char' }],
  ['شمارم یادم نیست', { ok: false, error: 'bad_char' }],
  ['شمارم را نمیدانم', { ok: false, error: 'bad_char' }],
  ['شمارم 0912 است', { ok: false, error: 'too_short' }],
  ['091234567890', { ok: false, error: 'too_long' }],
  [`شماره${'ه'.repeat(43)} 09123456789`, taken],
  [`شماره${'ه'.repeat(44)} 09123456789`, { ok: false, error: 'bad_char' }],
])('the mobile in %j is %j', (text, parsed) => {
  expect(parseSaidMobile(text)).toEqual(parsed)
})

test.each([
  ['سه هزار', 3, 1],
  ['یک پنج', 1, 1],
  ['دو هزار', 2000, 2],
  ['پنج و سه', 5, 1],
  ['بیست هزار', 20, 1],
  ['سیصد و صد', 300, 1],
  ['سیصد و هفتاد و پنج', 375, 5],
  ['صد و صد', 100, 1],
  ['صد و بیست', 120, 3],
  ['صد بیست', 120, 2],
  ['بیست و سی', 20, 1],
  ['بیست پنج', 20, 1],
  ['هزار و چهارصد', 1400, 3],
])('«%s» is %d, in %d words', (words, value, used) => {
  expect(readNumberWords(words.split(' '))).toEqual({ number: { value, ordinal: false }, used })
})

test('an ordinal ends a number', () => {
  const read = readNumberWords('بیست و سوم و پنج'.split(' '))
  expect(read).toEqual({ number: { value: 23, ordinal: true }, used: 3 })
})

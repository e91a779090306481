import { describe, expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { readLocale } from '../../src/texts/texts.ts'
import { birthErrorText, birthGuessView, birthView } from '../../src/views/birth.ts'
import { listingView } from '../../src/views/listing.ts'
import { validityText } from '../../src/views/organizer-notices.ts'
import { mobileGuessView } from '../../src/views/profile.ts'
import { texts, word } from '../words.ts'

const t = texts.for('fa')
const fa = readLocale('fa')
const times = (text: string, part: string) => text.split(part).length - 1
const MOBILE = '09123456789'

/** The rendered texts, by their row in the table of improved words. */
const rows: readonly (readonly [row: number, said: string, words: string | RegExp])[] = [
  [2, word('roadmap-result-shared'), 'نتیجهٔ شما را بقیهٔ شرکت‌کنندگان این بسته هم می‌بینند.'],
  [3, word('here-intro'), 'برای شروع، دکمهٔ «شروع می‌کنم» را بزنید.'],
  [4, word('invite-ask', { lines: 1000 }), /^شناسهٔ هر آزمون را در یک سطر بفرستید\.[\s\S]*13a76b29-.*4711/],
  [
    5,
    word('line-problem-at', { line: 2, problem: word('line-problem-length', { length: 35 }) }),
    'سطر ۲: شناسه ۳۶ نویسه دارد، این ۳۵ نویسه است',
  ],
  [6, word('list-nobody'), 'هنوز کسی شروع نکرده'],
  [7, word('service-waiting'), 'هنوز در پنل سرویس فعال نشده'],
  [8, word('status-title', { count: 7 }), 'در ۳۰ روز گذشته ۷ دعوت باز شده است'],
  [9, word('drop-title', { title: 'حال' }), /^کجا رها شده/],
  [9, word('drop-note'), 'پررنگ: همین‌جا مانده‌اند. کم‌رنگ: از این‌جا گذشته‌اند.'],
  [10, word('keyboard-away'), 'شماره را گرفتم.'],
  [13, word('here-question', { options: 5 }), 'لطفاً یکی از دکمه‌ها را بزنید یا شماره‌اش (۱ تا ۵) را بنویسید:'],
  [
    14,
    word('invitation-used'),
    'این دعوت با حساب دیگری باز شده است. اگر آن حساب مال خودتان بود، به فرستندهٔ دعوت بگویید تا راه را این‌جا برایتان باز کند.',
  ],
  [
    15,
    word('sms-unclear', { mobile: MOBILE }),
    `ارتباط قطع شد و معلوم نیست کد به ${MOBILE} رسیده باشد. «فرستادن کد تازه» را بزنید؛ اگر کدی از قبل رسید، دیگر به کار نمی‌آید.`,
  ],
  [16, word('takeover-ask', { tries: 3 }), /همان شماره‌ای.* که دفعهٔ پیش داده بودید/],
  [
    17,
    word('released-told', { title: 'حال' }),
    /^برگزارکننده «حال» را از این حساب برداشت تا با حساب دیگری ادامه پیدا کند\./,
  ],
  [19, word('release-refused', { title: 'حال' }), /در پنل سرویس برای او آزمون تازه‌ای بسازید/],
  [20, word('card-free'), /^در ربات: /],
  [20, word('card-external-id', { id: '4711' }), 'شمارهٔ شما: 4711'],
  [21, word('list-at', { time: '۱۰:۲۴' }), 'به‌روز شده: ۱۰:۲۴'],
  [21, word('button-list-again'), 'به‌روز کردن'],
  [22, word('button-expire', { mark: '✓ ', days: 7 }), '✓ مهلت: ۷ روز'],
  [22, word('button-to-both', { mark: '' }), 'نتیجه: هر دو'],
  [23, word('stage-done'), 'تمام شد'],
  [24, word('gender-girl') + word('gender-boy'), 'دخترپسر'],
  [24, word('hand-share', { role: 'مادر', title: 'خانواده' }), 'آزمون‌های مادر برای «خانواده»'],
  [25, word('board-next-own', { title: 'حال' }), 'آزمون بعدی شما: حال'],
  [25, word('button-board-begin', { title: 'حال' }), 'شروع: حال'],
  [26, word('result-picture-caption', { title: 'حال', page: 1, pages: 1 }), 'نتیجهٔ «حال» در یک نگاه'],
  [27, word('card-percentile'), 'عدد روی هر تپه: از ۱۰۰ نفر، چند نفر نمرهٔ پایین‌تری دارند.'],
  [
    28,
    word('result-document-caption', { title: 'حال' }),
    /^گزارش کامل.*؛ روی فایل بزنید و مرورگر را انتخاب کنید\.$/,
  ],
  [29, word('voice-message'), 'پیام صوتی را نمی‌شنوم؛ لطفاً بنویسید یا دکمه‌ای را بزنید:'],
  [
    30,
    word('cancelled'),
    /^کنار گذاشتیم\. پاسخ‌ها و مشخصات نزد ما ماند؛ نوشته‌هایتان از گفتگو پاک می‌شود\. برای ادامه: .\/tests/,
  ],
  [31, word('validity-run', { count: 3, usual: 9 }), /بیشترین پاسخ یکسان پشت سر هم/],
  [31, word('validity-resumes', { count: 0, usual: 2 }), /دفعه‌های بازگشت/],
  [32, word('notice-attempt', { title: 'حال' }), /لطفاً به مدیر فنی ربات خبر دهید/],
  [
    33,
    word('organizer-waits', { wait: word('wait-minutes', { minutes: 3 }) }),
    /^شرکت‌کننده‌ها جلوترند.*حدود ۳ دقیقهٔ دیگر/,
  ],
  [34, word('answer-too-early'), 'این را پیش از دیدن پرسش زیر فرستاده بودید، برای همین به حساب نیامد:'],
  [35, word('stage-loading'), 'آمادهٔ شروع'],
]

describe('the words', () => {
  test.each(rows)('are those of row %i: %s', (_row, said, words) => {
    if (typeof words === 'string') expect(said).toBe(words)
    else expect(said).toMatch(words)
  })
})

test('a person who has finished is not shown as nobody (row 6)', () => {
  const listed = { token: 't', title: 'حال', status: 2, needsProfile: true, isFlagged: false }
  const listing = { id: 'l', kind: 'record', text: '', count: 1, at: 0, screen: 1, before: 0 } as const
  const textOf = (isFinished: boolean) =>
    listingView(t, {
      ...listing,
      items: [{ ...listed, isFinished }],
      hasNext: false,
      isTooLong: false,
      kinds: [],
    }).text
  expect(textOf(false)).toContain(word('list-nobody'))
  expect(textOf(true)).not.toContain(word('list-nobody'))
  expect(textOf(true)).toContain('تمام شد')
})

test('«این‌طور فهمیدم:» and the example of a birth date occur once in a message (rows 11, 12)', () => {
  const person = { limits: { minAge: 18, maxAge: 65, gender: 'both' } } as const
  const guess = birthGuessView(t, { iso: '1996-08-02', assumed: ['century', 'order', 'month'] }, '2026-01-01')
  for (const { text } of [guess, mobileGuessView(t, MOBILE)]) expect(times(text, 'این‌طور فهمیدم:')).toBe(1)
  for (const error of ['unreadable', 'incomplete', 'age_only', 'ambiguous', 'lunar'] as const)
    expect(times(`${birthErrorText(t, error)}${birthView(t, person).text}`, '۱۳۷۵/۵/۱۲')).toBe(1)
})

test('an unusual value is in bold under a word of caution (row 31)', () => {
  const answered = { fast: 0, run: 0, changes: 0, pauses: 0, resumes: 0, activeMinutes: 5, questions: 60 }
  const caution = 'این پاسخ‌ها را با احتیاط بخوانید'
  expect(validityText(t, answered, 5)).not.toContain(caution)
  const said = validityText(t, { ...answered, run: 60 }, 5).split('\n')
  expect(said[0]).toBe(`<b>${caution}</b>`)
  expect(said.filter((line) => line.startsWith('<b>•'))).toHaveLength(1)
})

test('a result states in every language that it is not a diagnosis', () => {
  expect(LANGUAGE_CODES.map((code) => texts.for(code)('result-closing'))).toEqual([
    expect.stringMatching(/^این نتیجه تشخیص پزشکی نیست/),
    expect.stringMatching(/^This result is not a medical diagnosis/),
  ])
})

test('one word for one thing (rows 18, 23, 35), and English that reads as English', () => {
  expect(fa).not.toMatch(/پروفایل|پایان‌یافته|تمام‌شده|انجام شده|نتیجه رسیده|آمادهٔ پرسش‌ها|این‌جا:/)
  expect(LANGUAGE_CODES.map((code) => texts.for(code)('stage-done'))).toEqual(['تمام شد', 'finished'])
  expect(readLocale('en')).not.toMatch(/has no signs/)
  // A request to a person is never worded as a question of the test.
  expect(fa).not.toMatch(/پرسشی دارید|پرسش(?:‌های)? بی‌پاسخ|پرسشِ کسی/)
})

import type { Api } from 'grammy'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Config } from '../../src/config.ts'
import type { View } from '../../src/views/view.ts'

const table = '../../src/texts/languages.ts'

/** All modules that use the table, loaded with one more row: another script, other digits, right to left. */
async function withArabic() {
  vi.resetModules()
  vi.doMock(table, async (original) => {
    const real = await original<typeof import('../../src/texts/languages.ts')>()
    const arabic = {
      number: 7,
      locale: 'ar-EG-u-ca-gregory-nu-arab',
      direction: 'rtl',
      calendar: 'gregorian',
    }
    // The functions of the module use the same object, so they see the new row.
    Object.assign(real.LANGUAGES, { ar: arabic })
    real.LANGUAGE_CODES.push('ar' as never)
    return real
  })
  const { loadTexts, readLocale } = await import('../../src/texts/texts.ts')
  const inviter = { organizerName: 'x', organizerContact: 'x' }
  const texts = loadTexts(inviter, (language) =>
    (language as string) === 'ar'
      ? readLocale('en').replace(/^language-name = .*$/m, 'language-name = العربية')
      : readLocale(language),
  )
  return {
    texts,
    ...(await import('../../src/config.ts')),
    ...(await import('../../src/dialog/commands.ts')),
    ...(await import('../../src/views/privacy.ts')),
    ...(await import('../../src/views/introduction.ts')),
    ...(await import('../../src/views/view.ts')),
    ...(await import('../../src/domain/attempt.ts')),
    ...(await import('../../src/domain/attempt-layout.ts')),
    ...(await import('../../src/domain/persian/picker.ts')),
    ...(await import('../../src/domain/persian/calendar.ts')),
    ...(await import('../../src/pictures/canvas.ts')),
    ...(await import('../../src/pictures/text.ts')),
    ...(await import('../../src/texts/languages.ts')),
    key: (await import('../../tools/texts/key-types.ts')).writeKeyTypes,
  }
}

const ar = 'ar' as 'fa'
const labels = ({ keyboard = [] }: View) =>
  keyboard.flat().map((shown) => [shown.text, 'callback_data' in shown && shown.callback_data])

describe('a third language is one row and one file', () => {
  let bot: Awaited<ReturnType<typeof withArabic>>
  beforeAll(async () => {
    bot = await withArabic()
  })
  afterAll(() => {
    vi.doUnmock(table)
    vi.resetModules()
  })

  test('a participant can choose it, and it can be the default', () => {
    const shown = labels(bot.settingsView(bot.texts, { language: 'fa', quiet: { from: 22, to: 8 } }))
    expect(shown[0]).toEqual(['✓ فارسی', 'lang:fa'])
    expect(shown).toContainEqual(['العربية', 'lang:ar'])
    const loaded = bot.loadConfig({ LOCALE: 'ar' })
    expect(loaded.ok || loaded.problems.map(({ name }) => name)).not.toContain('LOCALE')
  })

  test('its commands are sent to Telegram', async () => {
    const told: unknown[] = []
    const method = async (_value: unknown, scope: { language_code?: string }) =>
      told.push(scope.language_code)
    const api = { setMyCommands: method, setMyDescription: method, setMyShortDescription: method }
    const config = { locale: 'fa', organizers: [] as number[] } as Config
    await bot.introduceBot({ api: api as unknown as Api, texts: bot.texts, config })
    const known = [...new Set(told)]
    expect(known.slice(0, 2)).toEqual([undefined, 'fa'])
    expect(known.at(-1)).toBe('ar')
  })

  test('its numbers, dates and times have their own form', () => {
    const waiting = { s: 's', title: 'x', checkedAt: 0 }
    expect(bot.waitingView(bot.texts.for(ar), waiting).text).toContain('٠٣:٣٠')
    expect(bot.texts.for(ar)('intro-questions', { count: 567 })).toContain('٥٦٧')
    expect(bot.formatBirth('1996-08-02', ar)).toEqual({ own: '٢ أغسطس ١٩٩٦', other: '1375/05/12' })
    expect(bot.formatNumber(ar, 1234.5)).toBe('١٢٣٤٫٥')
    expect(bot.formatDay(ar, new Date('2026-11-20T10:00:00Z'))).toBe('٢٠ نوفمبر ٢٠٢٦')
  })

  test('its lines, buttons, calendar and card begin at the right', () => {
    expect(bot.texts.for(ar)('command-start').charCodeAt(0)).toBe(0x200f)
    expect(bot.inReadingOrder([1, 2], ar)).toEqual([2, 1])
    const range = { first: '1990-01-01', last: '2009-12-31' }
    const { rows } = bot.pickerView({ kind: 'decades' }, range, ar, { back: 'x' })
    expect(rows[0]?.map(({ data }) => data)).toEqual(['birth:g:200', 'birth:g:199'])
    const canvas = bot.createCanvas(ar, 1)
    canvas.rect(0, 0, 10, 10, 'red')
    expect(canvas.svg(20)).toContain(`M ${bot.CARD_WIDTH} 0 h -10`)
    expect(bot.isolate(ar, '12').charCodeAt(0)).toBe(0x2067)
  })

  test('an attempt stores it', () => {
    const attempt = bot.newAttempt({
      owner: Buffer.alloc(8),
      id: Buffer.alloc(8),
      contentHash: Buffer.alloc(32),
      language: ar,
      questions: 3,
      dataKey: 1,
      retentionSeconds: 60,
      at: 1,
    })
    expect(bot.openAttempt(attempt).language).toBe(ar)
  })

  test('stored attempts name each language by a number that never changes', () => {
    expect(['fa', 'en', 'ar'].map((code) => bot.LANGUAGES[code as 'fa'].number)).toEqual([0, 1, 7])
    expect([0, 1, 7, 5].map(bot.languageNumbered)).toEqual(['fa', 'en', 'ar', 'fa'])
  })

  test('the types of the texts come from all files', () => {
    expect(() => bot.key(['a = x', 'a = x', 'b = x'])).toThrow('a is missing')
  })
})

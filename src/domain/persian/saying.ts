import { clean, foldWords } from './clean.ts'

/** What people say instead of pressing, where it can mean one thing only. */
export type Saying = 'greeting' | 'result' | 'send' | 'back' | 'later'

const WORDS: Readonly<Record<Exclude<Saying, 'result'>, string>> = {
  greeting: 'سلام درود salam hello hi hey',
  send: 'بفرست بفرستید بفرستین بفرستش بفرستشون بفرستم ارسال send submit',
  back: 'قبلی قبل برگرد برگردیم عقب previous back',
  later: 'بعدا بعد بعدن توقف مکث later pause',
}
/** Of two words, which a list of single ones cannot hold. */
const TOGETHER = /^(?:سلام علیکم|(?:وقت|صبح|عصر|شب|روز) ?(?:به )?(?:بخیر|خیر))$/

/** What may stand around them. */
const AROUND = new Set(
  (
    'لطفا پرسش سوال رو را پاسخ پاسخها پاسخهام جواب جوابها جوابهام ها هام من کن کنید ادامه میدم می دم میدهم دهم ' +
    'please the question answers it go continue'
  ).split(' '),
)
const MOST_WORDS = 6
const OF_RESULT = /(?:^| )(?:نتیجه|نتیجم|نتیجمو|جوابم|results?)(?:$| )/

/** Reads what was said; `undefined` where it is none of it, or may be something else. */
export function parseSaying(text: string): Saying | undefined {
  const said = foldWords(clean(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const words = said.split(' ')
  if (said === '' || words.length > MOST_WORDS) return undefined
  if (TOGETHER.test(said)) return 'greeting'
  if (OF_RESULT.test(said)) return 'result'
  const left = words.filter((word) => !AROUND.has(word))
  const [only] = left
  if (only === undefined || left.length > 1) return undefined
  return (['greeting', 'send', 'back', 'later'] as const).find((each) =>
    WORDS[each].split(' ').includes(only),
  )
}

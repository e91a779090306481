type Span = { from: number; to: number }

/** Questions on their way to the screen: when the bot asked Telegram to draw them, and when they stood there. */
export function createDrawings() {
  const spans = new Map<string, Span[]>()
  return {
    /** A message is drawn; it may be a question. */
    add(body: string, span: Span): void {
      const [, s = '', question = ''] = ANSWER.exec(body) ?? []
      if (s === '') return
      const key = `${s}:${question}`
      spans.set(key, [...(spans.get(key) ?? []), span])
    },
    /** Whether a question was on its way to the screen at that moment. */
    wasDrawn: (s: string, question: number, at: number): boolean =>
      (spans.get(`${s}:${question}`) ?? []).some(({ from, to }) => from <= at && at <= to),
  }
}

/** The button of an answer. */
const ANSWER = /"a:([\w-]+):(\d+):\d+:/

import type { Token } from './birth-tokens.ts'

const OLDEST = 130

/** Takes an age («۲۸ ساله», «سنم ۲۸») out of what was said; `aged` tells whether there was one. */
export function withoutAge(tokens: readonly Token[]): { rest: Token[]; aged: boolean } {
  const named = tokens.some(({ kind }) => kind === 'month')
  const rest: Token[] = []
  let aged = false
  let expected = false
  for (const [at, token] of tokens.entries()) {
    // «۲۸ سال» is an age, but in «ماه ۵ سال ۱۳۷۵» the word belongs to the number behind it
    const years =
      !named && token.kind === 'unit' && token.unit === 'year' && tokens[at + 1]?.kind !== 'number'
    if (expected && isAge(token)) {
      aged = true
      expected = false
    } else if ((token.kind === 'age' || years) && isAge(rest.at(-1))) {
      rest.pop()
      aged = true
    } else if (token.kind === 'age') expected = !aged
    else rest.push(token)
  }
  return { rest, aged }
}

function isAge(token: Token | undefined): boolean {
  return token?.kind === 'number' && token.digits.length <= 3 && token.value <= OLDEST
}

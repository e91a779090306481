import { parseSaying, saysSame } from '../domain/persian/saying.ts'
import type { View } from './view.ts'

/** The buttons that a yes or a no means, by their data. */
const MEANT = { yes: /:(?:ok|yes|keep|same)$/, no: /:(?:no|other)$/, go: /:ok$/ } as const

/** The data of the button that was said instead of pressed: its own words, or a yes or a no where one button is that. */
export function saidButton({ keyboard = [] }: View, text: string): string | undefined {
  const all = keyboard.flat().flatMap((button) => ('callback_data' in button ? [button] : []))
  const saying = parseSaying(text)
  const meant = saying === 'yes' || saying === 'no' || saying === 'go' ? MEANT[saying] : undefined
  const isNamed = all.find((button) => saysSame(button.text, text))
  return (isNamed ?? all.find((button) => meant?.test(button.callback_data)))?.callback_data
}

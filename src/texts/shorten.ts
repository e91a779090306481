/** Cuts a text to so many letters, as Telegram counts them; the last of them says that there was more. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const letters = [...text]
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`
}

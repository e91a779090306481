/** One hand for all pictures: light, printable, text of 22 pixels or more (Telegram scales pictures down). */
export const theme = {
  margin: 48,
  maxHeight: 1450,
  ink: '#17212e',
  muted: '#566372',
  hairline: '#dfe5ea',
  track: '#e9eef2',
  accent: '#0f766e',
  onAccent: '#ffffff',
} as const

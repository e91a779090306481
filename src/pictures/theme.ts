/**
 * One hand for all pictures: light, printable in grey. Sizes are units of 0.93 to 1.3 pixels (see pages.ts), so that no
 * text is smaller than 24 pixels: on a phone a picture is shown at about a third of its size.
 */
export const theme = {
  margin: 48,
  small: 26,
  paper: '#ffffff',
  ink: '#17212e',
  muted: '#4a5766',
  hairline: '#d3dedb',
  track: '#e2eae8',
  accent: '#0f766e',
  /** Behind the accent: a part of the same. */
  pale: '#a9d3cc',
  warning: '#b45309',
  /** The line around a hill. */
  outline: '#7f9c98',
} as const

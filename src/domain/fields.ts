/** An object that comes from outside, with any content. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

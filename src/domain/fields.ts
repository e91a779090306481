/** An object that comes from outside, whatever is in it. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

import type { Api } from 'grammy'

/** The signal of a package that grammY names in its types: Node's own is the same, but for the types of its events. */
export type GrammySignal = Parameters<Api['getMe']>[0] & {}

/** A signal of Node's as grammY takes it, which hands it on to our own transport. */
export const forGrammy = (signal: AbortSignal): GrammySignal => signal as never

/** A signal that went through grammY as it was given. */
export const fromGrammy = (signal: GrammySignal): AbortSignal => signal as never

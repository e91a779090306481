import { z } from 'zod'
import type { EmulatorState } from './state.ts'

const list = z.array(z.looseObject({}))

/**
 * Tells a state that an emulator wrote from any other JSON: its parts are there and have the right types.
 * Their contents are not checked, because only the emulator writes them.
 */
export const emulatorStateSchema = z.looseObject({
  version: z.literal(1),
  token: z.string(),
  bot: z.looseObject({ id: z.number(), username: z.string(), name: z.string() }),
  counters: z.looseObject({
    update: z.number(),
    message: z.number(),
    person: z.number(),
    file: z.number(),
    callback: z.number(),
  }),
  people: list,
  groups: list,
  messages: z.record(z.string(), list),
  callbacks: list,
  updates: list,
  allowedUpdates: z.array(z.string()),
  webhook: z.looseObject({ url: z.string() }).optional(),
  files: list,
  commands: z.record(z.string(), list),
  descriptions: z.record(z.string(), z.string()),
  shortDescriptions: z.record(z.string(), z.string()),
} satisfies Record<keyof EmulatorState, z.ZodType>) as unknown as z.ZodType<EmulatorState>

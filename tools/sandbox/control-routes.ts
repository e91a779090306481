import { z } from 'zod'
import type { AppDeps } from './app-deps.ts'
import { parse } from './applicants.ts'
import { faultSchema } from './faults.ts'
import type { Asked } from './http.ts'
import { Refusal } from './refusal.ts'
import type { Routes } from './routes.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The controls need no key, so web pages must not reach them. @throws Refusal 403 */
export function admitLever({ headers: { host, origin } }: Asked): void {
  const isHere = (address: string) => URL.canParse(address) && LOOPBACK.has(new URL(address).hostname)
  if (!isHere(`http://${host}`) || (origin !== undefined && !isHere(String(origin))))
    throw new Refusal(403, 'The sandbox answers this machine only.')
}

/** The controls beside the service, for the demo and the tests only. */
export function controlRoutes({ world, reset, open, register }: AppDeps): Routes {
  return {
    'GET /sms': () => world.state.sms,

    'GET /invitations': () => world.state.seeds,

    'POST /reset': () => {
      reset()
      return {}
    },

    // One fault or several.
    'POST /faults': ({ body }) => {
      const faults = parse(z.union([faultSchema.transform((fault) => [fault]), z.array(faultSchema)]), body)
      for (const fault of faults) world.faults.add(fault)
      return { added: faults.length }
    },

    // The organizer's action in the panel: a waiting record or roadmap (status 0) becomes ready (2).
    'POST /open': ({ body }) => {
      const { token } = parse(z.object({ token: z.string() }), body)
      if (!open(token)) throw new Refusal(404, 'There is no such record or roadmap.')
      return {}
    },

    // The organizer's action in the panel: registers a record, or some roles of a roadmap.
    'POST /register': ({ body }) => {
      const { token } = parse(z.object({ token: z.string() }), body)
      if (!register(token, body)) throw new Refusal(404, 'There is no such record or roadmap.')
      return {}
    },
  }
}

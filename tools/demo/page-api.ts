import type { FastifyInstance } from 'fastify'
import type { Emulator } from '../emulator/emulator.ts'
import { noteInEnglish } from '../sandbox/seeds.ts'
import type { Invitation, PageEvents, Sms } from './api.ts'
import { createEventStreams, type EventStreams } from './page-events.ts'
import { newestOf, watchNews } from './page-news.ts'
import { addPersonRoutes } from './page-person-routes.ts'
import { bodies, PageError, read } from './page-request.ts'

export type PageApiDeps = {
  emulator: Emulator
  invitations: () => Invitation[]
  /** Reads and changes waiting invitations as the service's panel does, by token; if absent, none waits. */
  organizer?: { isWaiting: (token: string) => boolean; open: (token: string) => void }
  /** Newest first. */
  sms: () => Sms[]
  onSms: (listener: (sms: Sms) => void) => () => void
}

/** The routes of `api.ts`. */
export function addPageApi(app: FastifyInstance, deps: PageApiDeps): void {
  const stream = createEventStreams(app)
  addPersonRoutes({ app, emulator: deps.emulator, stream })
  addInvitations(app, deps)
  addNews(app, stream, deps)
}

function addInvitations(app: FastifyInstance, { emulator, invitations, organizer }: PageApiDeps): void {
  app.get('/api/invitations', async () =>
    invitations().map((invitation) => {
      const kindInEnglish = noteInEnglish(invitation.title)
      const openedBy = firstToFollow(emulator, invitation)
      return {
        ...invitation,
        ...(kindInEnglish === undefined ? {} : { kindInEnglish }),
        ...(organizer?.isWaiting(tokenOf(invitation)) ? { waiting: true as const } : {}),
        ...(openedBy === undefined ? {} : { openedBy }),
      } satisfies Invitation
    }),
  )
  app.post('/api/invitations/open', async (request, reply) => {
    const { payload } = read(bodies.open, request)
    const invitation = invitations().find((each) => each.payload === payload)
    if (!invitation || !organizer) throw new PageError(404, 'no such invitation')
    organizer.open(tokenOf(invitation))
    return reply.code(204).send()
  })
}

function addNews(app: FastifyInstance, stream: EventStreams, { emulator, sms, onSms }: PageApiDeps): void {
  app.get('/api/sms', async () => sms())
  app.get('/api/events', (_request, reply) => {
    stream(reply, (events) => {
      events.send('all', { sms: sms(), newest: newestOf(emulator) } satisfies PageEvents['all'])
      const stopSms = onSms((one) => events.send('sms', one))
      const stopNews = watchNews(emulator, (news) => events.send('newest', news))
      return () => {
        stopSms()
        stopNews()
      }
    })
  })
}

function firstToFollow(emulator: Emulator, { payload }: Invitation): string | undefined {
  const followed = emulator
    .people()
    .flatMap(({ messages }) => messages.filter(({ text }) => text === `/start ${payload}`))
  return followed.toSorted((one, other) => one.message_id - other.message_id)[0]?.from.first_name
}

/** An invitation's payload is `record_<token>` or `roadmap_<token>`. */
function tokenOf({ payload }: Invitation): string {
  return payload.slice(payload.indexOf('_') + 1)
}

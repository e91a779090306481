import { setGlobalDispatcher } from 'undici'
import { texts } from '../../test/words.ts'
import { Network } from './network.ts'
import type { FormerReplica } from './replica.ts'
import { compared } from './report.ts'
import type { Order } from './runs.ts'
import { replaceGlobals } from './stand-ins/globals.ts'
import { simulate } from './world.ts'

/** A process of the simulation, which runs the ordered worlds one after the other. */
let planted: string | undefined
Object.assign(globalThis, { isPlanted: (name: string) => name === planted })
replaceGlobals()
setGlobalDispatcher(new Network())

process.on('message', async ({ seeds, stores, former: file, ...how }: Order) => {
  planted = how.plant
  const former: FormerReplica | undefined = file === undefined ? undefined : await import(file)
  for (const seed of seeds) {
    const settings = { ...how, seed, texts, former }
    const embedded = stores && !stores.areCompared ? undefined : await simulate(settings)
    const onRedis = stores && (await simulate({ ...settings, redisUrl: stores.redisUrl }))
    const report = embedded && onRedis ? compared(embedded, onRedis) : (onRedis ?? embedded)
    process.send?.({ ...report, ...(!how.isTraced && { chats: '' }) })
  }
})

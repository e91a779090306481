import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { temporaryFolder } from '../../test/storage/worlds.ts'
import { until } from '../../test/until.ts'
import { fault, type Night } from './night.ts'

/** Limits the memory of Redis to a share of its present use; 0 removes the limit. */
async function limitMemory({ redis }: Night, share: number): Promise<void> {
  const client = new Redis(redis.url)
  const [, used] = /used_memory:(\d+)/.exec(await client.info('memory')) ?? []
  await client.config('SET', 'maxmemory', String(Math.round(Number(used) * share)))
  client.disconnect()
}

fault('PorsaStorageFails', 'Redis is full', {
  onRedis: true,
  also: ['PorsaRoomLow', 'PorsaUpdatesStop', 'PorsaTelegramFails'],
  async make(night) {
    await limitMemory(night, 0.5)
    return () => limitMemory(night, 0)
  },
})

fault('PorsaRoomLow', 'Redis is nearly full', {
  onRedis: true,
  async make(night) {
    await limitMemory(night, 1.08)
    return () => limitMemory(night, 0)
  },
})

const copies = join(await temporaryFolder(), 'copies')
fault('PorsaBackupOld', 'no copy can be written', {
  environment: { BACKUP_DIR: copies, BACKUP_EVERY: '1m' },
  async make({ bots: [bot], passes, explain }) {
    await until(() => bot.lines().some(({ msg }) => msg === 'copy made and opened'), { explain })
    await rm(copies, { recursive: true })
    await writeFile(copies, 'no folder')
    passes(3 * 60_000)
    return () => rm(copies)
  },
})

fault('PorsaLeasesLost', 'a process stood still for longer than its lease', {
  onRedis: true,
  replicas: 2,
  factor: 15,
  also: ['PorsaReplicaDown', 'PorsaTelegramErrors', 'PorsaUpdatesStop'],
  async make({ emulator, bots: [bot, other], explain }) {
    await other?.kill()
    // Sends are slow, so that the messages of all people are in work when the process freezes.
    const slow = emulator.fault({ kind: 'delay', ms: 8_000, method: /^send/, times: 24 })
    const people = Array.from({ length: 24 }, () => emulator.person())
    for (const person of people) person.start()
    await until(() => slow.hits >= 20, { explain })
    bot.freeze()
    other?.start()
    // Sends of the frozen process still arrive: only messages handled by the other one have lost their lease.
    const handled = () => other?.output.stdout.match(/"actor":"chat".*"msg":"handled"/g)?.length ?? 0
    await until(() => handled() >= 20, { explain })
    bot.thaw()
    return () => slow.end()
  },
})

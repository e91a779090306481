import { fault } from '../../tools/alerts/night.ts'

// One of the faults of `npm run alerts`, each with the shipped rules and a real Prometheus.
fault('PorsaStorageFails', 'Redis stands still', {
  onRedis: true,
  also: ['PorsaRoomLow'],
  async make({ redis }) {
    redis.freeze()
    return () => redis.thaw()
  },
})

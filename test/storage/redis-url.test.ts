import { expect, test } from 'vitest'
import { parseRedisUrl } from '../../src/redis-url.ts'

const single = { form: 'single', tls: false, master: '', db: 0, credentials: {}, sentinelCredentials: {} }

test.each([
  ['redis://localhost', { ...single, nodes: [{ host: 'localhost', port: 6379 }] }],
  ['redis://[::1]:7000/3', { ...single, db: 3, nodes: [{ host: '::1', port: 7000 }] }],
  [
    'rediss://bot:p%40ss%2F@cache.example:6380/2',
    {
      ...single,
      tls: true,
      db: 2,
      credentials: { username: 'bot', password: 'p@ss/' },
      nodes: [{ host: 'cache.example', port: 6380 }],
    },
  ],
  [
    'redis://:secret@h/',
    { ...single, credentials: { password: 'secret' }, nodes: [{ host: 'h', port: 6379 }] },
  ],
  [
    'redis+sentinel://:secret@s1,s2:26380/mymaster/1?user=watch&password=p%26w',
    {
      ...single,
      form: 'sentinel',
      master: 'mymaster',
      db: 1,
      credentials: { password: 'secret' },
      sentinelCredentials: { sentinelUsername: 'watch', sentinelPassword: 'p&w' },
      nodes: [
        { host: 's1', port: 26379 },
        { host: 's2', port: 26380 },
      ],
    },
  ],
  [
    'rediss+cluster://c1:7000,c2',
    {
      ...single,
      form: 'cluster',
      tls: true,
      nodes: [
        { host: 'c1', port: 7000 },
        { host: 'c2', port: 6379 },
      ],
    },
  ],
])('%s', (url, expected) => {
  expect(parseRedisUrl(url)).toEqual(expected)
})

test.each([
  'http://geheim@host',
  'redis://',
  'redis://geheim@',
  'redis://:geheim@host:port',
  'redis://:geheim@host:70000',
  'redis://:geheim@one,two',
  'redis://:geheim@host/name',
  'redis://:geheim@host/1/2',
  'redis://:geheim%E0@host',
  'redis+sentinel://:geheim@one,two',
  'redis+cluster://:geheim@one,two/1',
  'redis://:geheim@my host',
  'redis+cluster://:geheim@one, two',
])('%s is refused without being shown', (url) => {
  expect(() => parseRedisUrl(url)).toThrow(/^is malformed: (?!.*geheim)/)
})

import { expect, test } from 'vitest'
import {
  createPictureFetcher,
  isPublicAddress,
  isPublicHost,
  publicLookup,
} from '../../src/service/pictures.ts'

test.each([
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a9fe:a9fe',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fec0::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
  'localhost',
  '2130706433',
])('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:2800:220:1::1', '::ffff:1.1.1.1'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  'localhost',
  'clinic',
  'x.localhost',
  'db.internal',
  'nas.local',
  'localhost.localdomain',
  'printer.lan',
  '[::1]',
  '10.0.0.1',
  'localhost.',
])('a picture at %s is not fetched', async (host) => {
  expect(isPublicHost(host)).toBe(false)
  expect(await createPictureFetcher({})(`https://${host}/a.png`)).toBeUndefined()
})

test('a name that leads to an internal address is not resolved', async () => {
  const found = await new Promise((resolve) =>
    publicLookup('localhost', { all: true }, (error, addresses) => resolve(error?.code ?? addresses)),
  )
  expect(found).toBe('ENOTFOUND')
})

import { expect, test } from 'vitest'
import { judgeSignIn } from './diagnosis-provider.ts'
import { judgeClock, judgeMongodb, judgeRedis } from './diagnosis-stores.ts'

const hello = { setName: 'rs0', primary: 'db-1:27017', isWritablePrimary: true }

test('a replica set with a primary is fine, whichever of its members is asked', () => {
  expect(judgeMongodb({ ...hello, isWritablePrimary: false }, '8.0.4')).toEqual({
    verdict: 'ok',
    finding: 'healthy, version 8.0.4, replica set rs0, primary db-1:27017',
  })
})

test.each([
  [{}, '8.0.4', 'is no replica set', '--replSet'],
  [{ setName: 'rs0' }, '8.0.4', 'has no primary in its replica set rs0', 'rs.status()'],
  [hello, '5.0.31', 'version 5.0.31', 'MongoDB 6.0 or newer'],
])('a MongoDB that answers %j, version %s, is a problem with a remedy', (answer, version, finding, remedy) => {
  expect(judgeMongodb(answer, version)).toEqual({
    verdict: 'problem',
    finding: expect.stringContaining(finding),
    remedy: expect.stringContaining(remedy),
  })
})

const infoOf = (fields: object) =>
  `# Server\r\n${Object.entries({ redis_version: '7.2.4', role: 'master', maxmemory_policy: 'noeviction', ...fields })
    .map(([name, value]) => `${name}:${value}`)
    .join('\r\n')}\r\n`

test('a primary that deletes no keys is fine', () => {
  expect(judgeRedis(infoOf({}))).toEqual({ verdict: 'ok', finding: 'healthy, Redis 7.2.4, noeviction' })
  expect(judgeRedis(infoOf({ valkey_version: '9.1.2' })).finding).toBe('healthy, Valkey 9.1.2, noeviction')
  expect(judgeRedis('').verdict).toBe('note')
})

test.each([
  [{ role: 'slave' }, 'a replica', 'primary'],
  [{ maxmemory_policy: 'allkeys-lru' }, 'allkeys-lru', 'noeviction'],
  [{ redis_version: '6.2.14' }, 'Redis 6.2.14', 'Redis 7'],
])('a Redis with %j is a problem with a remedy', (fields, finding, remedy) => {
  expect(judgeRedis(infoOf(fields))).toEqual({
    verdict: 'problem',
    finding: expect.stringContaining(finding),
    remedy: expect.stringContaining(remedy),
  })
})

const now = new Date('2026-03-01T12:00:00Z')
test.each([
  ['2026-03-01T13:00:00Z', '3600 s ahead of'],
  ['2026-03-01T11:58:00Z', '120 s behind'],
  ['2026-03-01T12:00:11Z', '11 s ahead of'],
])('a server whose clock says %s is a problem at noon', (theirs, finding) => {
  const found = judgeClock(new Date(theirs), now)
  expect(found).toMatchObject({ verdict: 'problem', finding: expect.stringContaining(finding) })
})

test('a server whose clock is some seconds off is fine, as is one that tells no time', () => {
  expect(judgeClock(new Date('2026-03-01T12:00:05Z'), now)).toBeUndefined()
  expect(judgeClock(new Date(Number.NaN), now)).toBeUndefined()
  const late = judgeMongodb({ ...hello, localTime: new Date(Date.now() - 3_600_000) }, '8.0.4')
  expect(late.finding).toContain('3600 s behind')
})

test('a provider that would not lead back to the app is a problem that names what its client lacks', () => {
  expect(judgeSignIn(200, 'https://app.example')).toEqual({ verdict: 'ok', finding: 'healthy' })
  expect(judgeSignIn(400, 'https://app.example').remedy).toContain('https://app.example/auth/callback')
})

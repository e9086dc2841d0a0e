import { expect, test } from 'vitest'
import { redisUrlSchema, sentinelOptions } from './redis-address.ts'

test('one server is named by its URL', () => {
  for (const url of ['redis://127.0.0.1:6379', 'rediss://user:pass@redis.example.com:6380/2'])
    expect([redisUrlSchema.parse(url), sentinelOptions(url)]).toEqual([url, undefined])
})

test('Sentinels are named with the name of their primary, its user, and TLS to all of them', () => {
  expect(sentinelOptions('redis+sentinel://a.example.com,b:26380,[fd00::1]:1/main')).toEqual({
    sentinels: [
      { host: 'a.example.com', port: 26_379 },
      { host: 'b', port: 26_380 },
      { host: 'fd00::1', port: 1 },
    ],
    name: 'main',
    failoverDetector: true,
  })
  const url = 'rediss+sentinel://parley:p%40ss@a/main/3?sentinelUser=watch&sentinelPassword=s%26'
  expect(sentinelOptions(url)).toEqual({
    sentinels: [{ host: 'a', port: 26_379 }],
    name: 'main',
    failoverDetector: true,
    username: 'parley',
    password: 'p@ss',
    db: 3,
    sentinelUsername: 'watch',
    sentinelPassword: 's&',
    tls: {},
    enableTLSForSentinelMode: true,
  })
})

test('a plus sign in a password stands for itself', () => {
  expect(sentinelOptions('redis+sentinel://u:p+q@a/main?sentinelPassword=ab+cd%20e')).toMatchObject({
    password: 'p+q',
    sentinelPassword: 'ab+cd e',
  })
})

test.each([
  'http://redis',
  'redis',
  'redis+sentinel://a,b',
  'redis+sentinel://a,,b/main',
  'redis+sentinel://a:b:c/main',
  'redis+sentinel://a/main/x',
  'redis+sentinel://a/main?master=main',
  'sentinel://a/main',
  'redis+sentinel://u:50%off@a/main',
  'redis+sentinel://50%off:p@a/main',
])('%s is refused', (url) => {
  expect(redisUrlSchema.safeParse(url).error?.issues[0]?.message).toBe('must be a redis URL')
})

import { expect, test } from 'vitest'
import { commandCalls, costOfEach } from './costs.ts'

const meter = {
  cpu: { bff: 1000, identity: 50 },
  redisCommands: { get: 5 },
  mongodbOperations: { update: 1 },
  bytes: { redis: 100, mongodb: 10, journal: 0 },
}

test('a cost is what was used between two readings, for each operation', () => {
  const bytes = { ...meter.bytes, redis: 4100 }
  const after = { ...meter, cpu: { bff: 5000, identity: 50 }, redisCommands: { get: 15, set: 20 }, bytes }
  expect(costOfEach(meter, after, 10)).toEqual({
    cpu: { bff: 400 },
    redisCommands: { get: 1, set: 2 },
    mongodbOperations: {},
    bytes: { redis: 400 },
  })
})

test('calls are read from commandstats, without those of the measuring', () => {
  const info =
    '# Commandstats\r\ncmdstat_get:calls=12,usec=3\r\ncmdstat_info:calls=4,usec=1\r\ncmdstat_client|caching:calls=2,usec=1\r\n'
  expect(commandCalls(info)).toEqual({ get: 12, 'client|caching': 2 })
})

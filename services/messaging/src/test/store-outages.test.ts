import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { folderOnSmallDisk } from '@parley/local/testing/small-disk'
import { throwAwayFolder } from '@parley/local/testing/throw-away-folder'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { startUnderLoad } from './under-load.ts'

/** `OUTAGE_SECONDS=30` is the long form. */
const outageMs = Number(process.env['OUTAGE_SECONDS'] ?? 8) * 1000

test('the primary of MongoDB is gone for a while under load: nothing is lost, nothing leaves twice', async () => {
  const { stack, goesOn, expectNothingLost } = await startUnderLoad()
  await goesOn()
  // Connections stay open and nothing answers: worse than a process that has ended.
  stack.kill('mongodb', 'SIGSTOP')
  await wait(outageMs)
  stack.kill('mongodb', 'SIGCONT')
  await goesOn()
  await expectNothingLost()
}, 700_000)

test('MongoDB refuses every write for a while under load: nothing is lost and nothing set aside', async () => {
  const { connection, goesOn, expectNothingLost } = await startUnderLoad()
  const refuseWrites = (mode: 'alwaysOn' | 'off') =>
    connection
      .getClient()
      .db('admin')
      .command({
        configureFailPoint: 'failCommand',
        mode,
        data: { errorCode: 14_031, failCommands: ['insert', 'update', 'findAndModify', 'delete'] },
      })
  await goesOn()
  await refuseWrites('alwaysOn')
  await wait(outageMs)
  await refuseWrites('off')
  await goesOn()
  await expectNothingLost()
}, 700_000)

test('the disk of MongoDB fills up under load, and has room again: nothing is lost, nothing leaves twice', async ({
  skip,
}) => {
  const folder = folderOnSmallDisk()
  if (!folder) return skip('this user may not mount a small disk')
  const { connection, notes, goesOn, expectNothingLost } = await startUnderLoad({ dataDir: folder.dataDir })
  await goesOn()
  const hasDied = () => notes().some((line) => /^MongoDB died/.test(line))
  folder.fill()
  const big = Buffer.alloc(4_000_000, 'x')
  const other = connection.getClient().db('other').collection('big')
  // mongod ends at the first write that finds no room.
  await expect
    .poll(
      async () => {
        if (!hasDied()) await other.insertOne({ big }).catch(() => undefined)
        return hasDied()
      },
      { timeout: 300_000, interval: 50 },
    )
    .toBe(true)
  // Started again without room it would die again, and be given up in the end.
  folder.giveRoom()
  await goesOn()
  await expectNothingLost()
}, 900_000)

test.each([
  [
    'whose memory is full',
    (redis: Redis) => redis.config('SET', 'maxmemory', '1mb'),
    (redis: Redis) => redis.config('SET', 'maxmemory', '0'),
  ],
  [
    'that is read-only',
    (redis: Redis) => redis.replicaof('127.0.0.1', '1'),
    (redis: Redis) => redis.replicaof('NO', 'ONE'),
  ],
] as const)(
  'a Redis %s for a while under load: nothing is lost, nothing leaves twice, and no log is filled',
  async (_which, refuseWrites, takeWrites) => {
    const dataDir = throwAwayFolder()
    const { stack, goesOn, expectNothingLost } = await startUnderLoad({ dataDir })
    const redis = new Redis(stack.urls.redis)
    onTestFinished(() => redis.disconnect())
    const complaints = (process: string) =>
      readFileSync(join(dataDir, 'logs', `${process}.log`), 'utf8').match(/"level":"(warn|error)"/g)?.length ?? 0
    const queueErrors = async () => {
      const response = await fetch(`http://127.0.0.1:${stack.env['messaging-worker']['PORT']}/metrics`)
      const counts = [...(await response.text()).matchAll(/^queue_errors_total\{.*\} (\d+)/gm)]
      return counts.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    await goesOn()
    await refuseWrites(redis)
    // Several jobs for each of the worker's queues.
    await expect.poll(queueErrors, { timeout: 120_000 }).toBeGreaterThan(100)
    expect(complaints('messaging-worker')).toBeLessThan(100)
    expect(complaints('messaging-ingest')).toBeLessThan(20)
    await takeWrites(redis)
    await goesOn()
    await expectNothingLost()
  },
  700_000,
)

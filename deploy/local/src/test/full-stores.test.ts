import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Stack, startStack } from '../stack.ts'
import { createVisitor, signIn, type Visitor } from '../testing/app-visitor.ts'
import { throwAwayFolder } from '../testing/throw-away-folder.ts'

const account = { email: 'ann@parley.test', password: 'correct horse' }
let stack: Stack
let ann: Visitor
let mongodb: MongoClient
let redis: Redis
const dataDir = throwAwayFolder()
beforeAll(async () => {
  stack = await startStack({ dataDir, throwAway: true, environment: {} })
  ann = await createVisitor(stack.urls.app, account)
  mongodb = new MongoClient(stack.urls.mongodb)
  redis = new Redis(stack.urls.redis)
  // The frontend is built first, where that has not been done.
}, 300_000)
afterAll(async () => {
  redis.disconnect()
  await mongodb.close()
  await stack.stop()
})

const readyzSchema = z.object({ status: z.string(), parts: z.record(z.string(), z.unknown()) })
async function readiness(origin: string): Promise<{ status: number; components: Record<string, unknown> }> {
  const answer = await fetch(`${origin}/readyz`)
  return { status: answer.status, components: readyzSchema.parse(await answer.json()).parts }
}
const profileReadiness = () => readiness(`http://127.0.0.1:${stack.env.profile['PORT']}`)
const appReadiness = () => readiness(stack.urls.app)
const changeName = (firstName: string) => ann.change({ firstName })

/** Expects that signed-in people notice nothing as long as they only read. */
async function expectReads(): Promise<void> {
  expect(await ann.user()).toMatchObject({ status: 200 })
  expect(await ann.session()).toMatchObject({ status: 200, body: { authenticated: true } })
}

async function refuseWrites(errorCode: number): Promise<() => Promise<void>> {
  const data = { errorCode, failCommands: ['insert', 'update', 'findAndModify'] }
  const set = (mode: string) => mongodb.db('admin').command({ configureFailPoint: 'failCommand', mode, data })
  await set('alwaysOn')
  return async () => void (await set('off'))
}

test.each([
  ['a full disk', 14_031],
  ['blocked writes', 371],
])('MongoDB with %s: writes are 503 and told, reads go on, and all is well with the first room', async (_why, code) => {
  expect(await changeName('Ann')).toMatchObject({ status: 200 })
  const giveRoom = await refuseWrites(code)
  try {
    expect(await changeName('Anna')).toMatchObject({ status: 503, body: { code: 'writes_unavailable' } })
    await expectReads()
    expect(await profileReadiness()).toMatchObject({ status: 200, components: { mongodb: 'read-only' } })
    expect(await appReadiness()).toMatchObject({ status: 200 })
  } finally {
    await giveRoom()
  }
  expect(await profileReadiness()).toMatchObject({ status: 200, components: { mongodb: 'ok' } })
  expect(await changeName('Anna')).toMatchObject({ status: 200, body: { firstName: 'Anna' } })
})

/** `maxmemory` with `noeviction`: OOM. */
async function fillMemory(): Promise<() => Promise<void>> {
  await redis.config('SET', 'maxmemory', '1mb')
  return async () => void (await redis.config('SET', 'maxmemory', '0'))
}

/** A snapshot that cannot be put in its place stops all writes (`stop-writes-on-bgsave-error`): MISCONF. */
async function failSnapshots(): Promise<() => Promise<void>> {
  const [, folder = ''] = z.array(z.string()).parse(await redis.config('GET', 'dir'))
  const inItsPlace = join(folder, 'dump.rdb')
  mkdirSync(inItsPlace)
  const saved = async (how: 'ok' | 'err') => {
    await redis.bgsave()
    await expect.poll(() => redis.info('persistence')).toContain(`rdb_last_bgsave_status:${how}`)
  }
  await redis.config('SET', 'save', '3600 1')
  await saved('err')
  return async () => {
    rmdirSync(inItsPlace)
    await saved('ok')
    await redis.config('SET', 'save', '')
  }
}

/** A failover that this server has lost: it keeps answering reads. */
async function becomeReplica(): Promise<() => Promise<void>> {
  await redis.replicaof('127.0.0.1', '1')
  return async () => void (await redis.replicaof('NO', 'ONE'))
}

/** Lines of each process that are no mere requests. */
const complaints = () =>
  readdirSync(join(dataDir, 'logs')).map((file) => ({
    file,
    lines: readFileSync(join(dataDir, 'logs', file), 'utf8').match(/"level":"(warn|error)"/g)?.length ?? 0,
  }))

/** Counts the errors that Redis has given to the workers of messaging instead of work. */
async function queueErrors(): Promise<number> {
  const metrics = await fetch(`http://127.0.0.1:${stack.env['messaging-worker']['PORT']}/metrics`)
  const counts = [...(await metrics.text()).matchAll(/^queue_errors_total\{.*\} (\d+)/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

test.each([
  ['full memory', 'OOM', fillMemory],
  ['no master', 'READONLY', becomeReplica],
  ['a snapshot that cannot be written', 'MISCONF', failSnapshots],
])(
  'Redis with %s: sign-ins are 503 and told, sessions go on, and all is well with the first room',
  async (_why, word, harm) => {
    const before = { errors: await queueErrors(), complaints: complaints() }
    const giveRoom = await harm()
    let mended = false
    onTestFinished(async () => {
      if (!mended) await giveRoom()
    })
    await expect(redis.set('room', 'x'.repeat(1000))).rejects.toThrow(word)
    await expectReads()
    expect(await changeName('Anna')).toMatchObject({ status: 200 })
    expect(await signIn(stack.urls.app, account)).toMatchObject({
      status: 503,
      body: { error: 'temporarily_unavailable' },
      cookie: '',
    })
    await expect.poll(appReadiness).toMatchObject({ status: 200, components: { redis: { ok: true, readOnly: true } } })
    expect(await profileReadiness()).toMatchObject({ status: 200, components: { redis: 'read-only' } })
    // Each queue has met the error more than once, and no process has reported it more than a few times.
    await expect.poll(queueErrors, { timeout: 60_000 }).toBeGreaterThan(before.errors + 60)
    for (const [index, { file, lines }] of complaints().entries())
      expect(lines, file).toBeLessThan((before.complaints[index]?.lines ?? 0) + 50)
    await giveRoom()
    mended = true
    await expect.poll(async () => (await appReadiness()).components['redis']).toEqual({ ok: true })
    expect(await signIn(stack.urls.app, account)).toMatchObject({ status: 200 })
  },
)

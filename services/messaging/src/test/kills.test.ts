import { setTimeout as wait } from 'node:timers/promises'
import { ownStack } from '@parley/local/testing/own-stack'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { Secret } from '@parley/service-kit/core/secret-box'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { createQueues } from '@parley/service-kit/queue/queues'
import { Redis } from 'ioredis'
import { type Connection, Types } from 'mongoose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { workerConfigSchema } from '../config.ts'
import { openMessaging } from '../open-messaging.ts'
import { customers, startLoad } from './kill-load.ts'
import { disagreements } from './kill-recount.ts'
import { simulatorControl } from './simulator-control.ts'

const victims = ['messaging-ingest', 'messaging-worker', 'mongodb', 'redis', 'simulator'] as const
/** One of each, and Redis emptied; `KILLS=50` is the long form. */
const kills = Number(process.env['KILLS'] ?? victims.length + 1)

/** The launcher leaves a component alone that dies more than five times within a minute. */
const restMs = 13_000

const patiently = <T>(check: () => Promise<T> | T, timeoutMs = 300_000) =>
  vi.waitFor(check, { timeout: timeoutMs, interval: 200 })

test(
  'whatever is killed under load, each webhook counts once and no message leaves twice',
  async () => {
    const { stack } = await ownStack(['mongodb', 'redis', 'simulator', 'messaging-ingest', 'messaging-worker'])
    const { services, connection, close } = await openServices(stack.env['messaging-worker'])
    onTestFinished(close)
    const simulatorUrl = `http://127.0.0.1:${stack.env.simulator['PORT']}`
    const control = simulatorControl(simulatorUrl)
    const scope = { workspaceId: new Types.ObjectId().toHexString() }
    const place = await control('/numbers', { name: 'Kills' })
    await services.endpoints.addAppSecret(scope, new Secret(place.appSecret), { simulated: true })
    await services.numberConnection.connect(scope, {
      displayName: 'Kills',
      phoneNumber: place.displayNumber,
      phoneNumberId: place.phoneNumberId,
      businessAccountId: place.accountId,
      accessToken: new Secret(place.accessToken),
      graphUrl: simulatorUrl,
      simulated: { phonePageUrl: simulatorUrl },
    })
    const { url: hook } = await services.endpoints.callback(scope)
    // To whoever has written to the simulator itself anything may be sent.
    for (const from of customers)
      await control('/inbound', { phone_number_id: place.phoneNumberId, from, type: 'text', text: { body: 'Hello' } })
    const load = startLoad({ services, scope, hook, place })
    load.workIn(
      await patiently(async () => {
        const found = await conversationsIn(connection)
        expect(found.size).toBe(customers.length)
        return found
      }),
    )

    const killedAt = new Map<string, number>()
    for (let count = 0; count < kills; count += 1) {
      const [webhooks, sends] = [load.acknowledged.length, load.sent.length]
      const victim = victims[count % (victims.length + 1)]
      // The long form on a fast machine comes round to it too soon.
      await wait(Math.max(0, (killedAt.get(victim ?? '') ?? 0) + restMs - Date.now()))
      if (victim) stack.kill(victim, 'SIGKILL')
      else await emptied(stack.urls.redis)
      killedAt.set(victim ?? '', Date.now())
      // Until the load has gone on beyond what was under way.
      await patiently(() => {
        expect(load.acknowledged.length).toBeGreaterThan(webhooks + 40)
        expect(load.sent.length).toBeGreaterThan(sends + 20)
      })
    }

    await load.stop()
    const pending = async () => [
      await connection.collection('rawEvents').countDocuments({ lane: { $exists: true } }),
      await connection.collection('messages').countDocuments({ sendLane: { $exists: true } }),
    ]
    await patiently(async () => expect(await pending()).toEqual([0, 0]))
    const { items: atSimulator } = await control(`/messages?phone_number_id=${place.phoneNumberId}`)
    expect(await disagreements(connection, { ...load, atSimulator })).toEqual([])
    expect(load.marks.size).toBeGreaterThan(0)
  },
  120_000 + 300_000 * Math.max(2, kills / 6),
)

async function openServices(environment: Record<string, string>) {
  const config = workerConfigSchema.parse(environment)
  const logger = createLogger({ name: 'kills', level: 'silent' })
  const metrics = createMetrics('kills')
  const queues = createQueues({ url: config.REDIS_URL, service: 'messaging', logger, metrics })
  const giveUp = () => undefined
  const messaging = await openMessaging('kills', config, { logger, metrics, queues, giveUp })
  await patiently(() => expect(messaging.database.isOpen()).toBe(true))
  const close = async () => {
    await queues.close(0)
    await messaging.close()
  }
  return { services: messaging.services, connection: fullConnection(messaging.database.connection), close }
}

/** By the customer's number. */
async function conversationsIn(connection: Connection): Promise<Map<string, string>> {
  const phones = new Map(
    (await connection.collection('contacts').find().toArray()).map(({ _id, phone }) => [String(_id), String(phone)]),
  )
  const found = await connection.collection('conversations').find().toArray()
  return new Map(found.map(({ _id, contactId }) => [phones.get(String(contactId))?.slice(1) ?? '', String(_id)]))
}

/** Everything that Redis holds is gone. */
async function emptied(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  await redis.flushall()
  redis.disconnect()
}

import { ownStack } from '@parley/local/testing/own-stack'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { Secret } from '@parley/service-kit/core/secret-box'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { createQueues } from '@parley/service-kit/queue/queues'
import { type Connection, Types } from 'mongoose'
import { expect, onTestFinished, vi } from 'vitest'
import { workerConfigSchema } from '../config.ts'
import { openMessaging } from '../open-messaging.ts'
import { customers, startLoad } from './kill-load.ts'
import { disagreements } from './kill-recount.ts'
import { simulatorControl } from './simulator-control.ts'

const patiently = <T>(check: () => Promise<T> | T, timeoutMs = 300_000) =>
  vi.waitFor(check, { timeout: timeoutMs, interval: 200 })

/** A stack of its own with customers who write, and a business that reads and answers. @param options of the stack. */
export async function startUnderLoad(options: Parameters<typeof ownStack>[1] = {}) {
  const ownedStack = await ownStack(['mongodb', 'redis', 'simulator', 'messaging-ingest', 'messaging-worker'], options)
  const { stack } = ownedStack
  const { services, connection, close } = await openServices(stack.env['messaging-worker'])
  onTestFinished(close)
  const simulatorUrl = `http://127.0.0.1:${stack.env.simulator['PORT']}`
  const control = simulatorControl(simulatorUrl)
  const scope = { workspaceId: new Types.ObjectId().toHexString() }
  const simulatedNumber = await control('/numbers', { name: 'Kills' })
  await services.endpoints.addAppSecret(scope, new Secret(simulatedNumber.appSecret), { simulated: true })
  await services.numberConnection.connect(scope, {
    displayName: 'Kills',
    phoneNumber: simulatedNumber.displayNumber,
    phoneNumberId: simulatedNumber.phoneNumberId,
    businessAccountId: simulatedNumber.accountId,
    accessToken: new Secret(simulatedNumber.accessToken),
    graphUrl: simulatorUrl,
    simulated: { phonePageUrl: simulatorUrl },
  })
  const { url: hook } = await services.endpoints.callback(scope)
  // Any message may be sent to a customer who has written to the simulator itself.
  for (const from of customers)
    await control('/inbound', {
      phone_number_id: simulatedNumber.phoneNumberId,
      from,
      type: 'text',
      text: { body: 'Hello' },
    })
  const load = startLoad({ services, scope, hook, simulatedNumber })
  load.workIn(
    await patiently(async () => {
      const found = await conversationsIn(connection)
      expect(found.size).toBe(customers.length)
      return found
    }),
  )

  /** Resolves once the work that is under way now is done, and the load continues. */
  async function goesOn(): Promise<void> {
    const [webhooks, sends] = [load.acknowledged.length, load.sent.length]
    await patiently(() => {
      expect(load.acknowledged.length).toBeGreaterThan(webhooks + 40)
      expect(load.sent.length).toBeGreaterThan(sends + 20)
    })
  }

  /** Ends the load, waits until all of it is done, and compares what was taken with what is there. */
  async function expectNothingLost(): Promise<void> {
    await load.stop()
    const pending = async () => [
      await connection.collection('rawEvents').countDocuments({ lane: { $exists: true } }),
      await connection.collection('messages').countDocuments({ sendLane: { $exists: true } }),
    ]
    await patiently(async () => expect(await pending()).toEqual([0, 0]))
    const { items: atSimulator } = await control(`/messages?phone_number_id=${simulatedNumber.phoneNumberId}`)
    expect(await disagreements(connection, { ...load, atSimulator })).toEqual([])
    expect(load.marks.size).toBeGreaterThan(0)
  }

  return { ...ownedStack, connection, goesOn, expectNothingLost }
}

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

/** Returns conversation ids by customer's number. */
async function conversationsIn(connection: Connection): Promise<Map<string, string>> {
  const phones = new Map(
    (await connection.collection('contacts').find().toArray()).map(({ _id, phone }) => [String(_id), String(phone)]),
  )
  const found = await connection.collection('conversations').find().toArray()
  return new Map(found.map(({ _id, contactId }) => [phones.get(String(contactId))?.slice(1) ?? '', String(_id)]))
}

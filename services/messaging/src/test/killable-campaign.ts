import { campaignSchema } from '@parley/contracts/campaigns/campaigns'
import { ownStack } from '@parley/local/testing/own-stack'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { Secret } from '@parley/service-kit/core/secret-box'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import { createQueues } from '@parley/service-kit/queue/queues'
import { Types } from 'mongoose'
import { expect, onTestFinished, vi } from 'vitest'
import { workerConfigSchema } from '../config.ts'
import { openMessaging } from '../open-messaging.ts'
import { addContacts } from './campaign-fixtures.ts'
import { simulatorControl } from './simulator-control.ts'

/** Waits as long as a machine may need that does other things too. */
export const patiently = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 300_000, interval: 200 })

/** Processes that can be killed, a number that sends so fast, and an approved template. */
export async function startKillable(perSecond: number) {
  const { stack } = await ownStack(['mongodb', 'redis', 'simulator', 'messaging-ingest', 'messaging-worker'])
  const config = workerConfigSchema.parse(stack.env['messaging-worker'])
  const logger = createLogger({ name: 'campaign-kills', level: 'silent' })
  const metrics = createMetrics('campaign-kills')
  const queues = createQueues({ url: config.REDIS_URL, service: 'messaging', logger, metrics })
  const { services, database, close } = await openMessaging('campaign-kills', config, {
    logger,
    metrics,
    queues,
    giveUp: () => undefined,
  })
  onTestFinished(async () => {
    await queues.close(0)
    await close()
  })
  await patiently(() => expect(database.isOpen()).toBe(true))
  const connection = fullConnection(database.connection)
  const simulatorUrl = `http://127.0.0.1:${stack.env.simulator['PORT']}`
  const control = simulatorControl(simulatorUrl)
  const actor = { kind: 'user' as const, id: newId() }
  const ctx = { workspaceId: new Types.ObjectId().toHexString(), actor }
  await services.applyPlan(ctx, { plan: 'pro', source: 'operator' })
  const simulatedNumber = await control('/numbers', { name: 'Kills' })
  await control('/capability', { account_id: simulatedNumber.accountId, tier: 'TIER_UNLIMITED' })
  await control('/limits', { standardPerSecond: null })
  await services.endpoints.addAppSecret(ctx, new Secret(simulatedNumber.appSecret), { simulated: true })
  const number = await services.numberConnection.connect(ctx, {
    displayName: 'Kills',
    phoneNumber: simulatedNumber.displayNumber,
    phoneNumberId: simulatedNumber.phoneNumberId,
    businessAccountId: simulatedNumber.accountId,
    accessToken: new Secret(simulatedNumber.accessToken),
    graphUrl: simulatorUrl,
    simulated: { phonePageUrl: simulatorUrl },
  })
  const numberId = new Types.ObjectId(number.id)
  await connection.collection('numbers').updateOne({ _id: numberId }, { $set: { throughputPerSecond: perSecond } })
  const template = await services.templateChanges.create(ctx, {
    name: 'kills',
    language: 'en',
    category: 'marketing',
    body: 'Our shop is open on Sunday.',
    footer: 'Reply STOP to opt out',
    buttons: [],
    examples: {},
  })
  await patiently(async () => expect((await services.templates.read(ctx, template.id)).status).toBe('approved'))

  /** Returns the ids that the stand-in for WhatsApp was asked to send, each as often as it was asked. */
  const sent = async (): Promise<string[]> => {
    const { items } = await control(`/messages?phone_number_id=${simulatedNumber.phoneNumberId}`)
    return items.map(({ callbackData }: { callbackData: string }) => callbackData)
  }
  const people = (tag: string, count: number, firstPhone: number, zone?: string) =>
    addContacts(database.connection, ctx, {
      count,
      firstPhone,
      tags: [tag],
      ...(zone !== undefined && { over: { attributes: [{ k: 'timezone', v: zone }] } }),
    })
  const rows = (id: string) =>
    connection
      .collection('campaignRecipients')
      .find({ campaignId: new Types.ObjectId(id) })
      .sort({ n: 1 })
      .toArray()
  const fieldsFor = (tag: string) => ({
    name: 'Kills',
    audience: { kind: 'tags' as const, tags: [tag] },
    numberId: number.id,
    templateId: template.id,
    variables: {},
  })
  const ready = (id: string) =>
    patiently(async () => {
      const review = await services.campaignReviews.read(ctx, id)
      expect(review.state).toBe('ready')
      return review
    })
  const read = async (id: string) => campaignSchema.parse(await services.campaigns.read(ctx, id))
  const signal = (name: NodeJS.Signals) => stack.kill('messaging-worker', name)
  const kill = () => signal('SIGKILL')
  return { services, connection, ctx, sent, people, rows, fieldsFor, ready, read, kill, signal }
}

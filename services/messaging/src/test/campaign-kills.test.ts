import { campaignSchema } from '@parley/contracts/campaigns'
import { ownStack } from '@parley/local/testing/own-stack'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { Secret } from '@parley/service-kit/core/secret-box'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import { createQueues } from '@parley/service-kit/queue/queues'
import { Types } from 'mongoose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { workerConfigSchema } from '../config.ts'
import { openMessaging } from '../open-messaging.ts'
import { addContacts } from './campaign-fixtures.ts'
import { simulatorControl } from './simulator-control.ts'

/** The long form is `KILLS=50 RECIPIENTS=10000`. */
const kills = Number(process.env['KILLS'] ?? 3)
const recipients = Number(process.env['RECIPIENTS'] ?? 1000)
const patiently = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 300_000, interval: 200 })

test('the worker is killed again and again: nobody gets the campaign twice, nobody is left out, and the counts are the rows', async () => {
  const { stack } = await ownStack(['mongodb', 'redis', 'simulator', 'messaging-ingest', 'messaging-worker'])
  const config = workerConfigSchema.parse(stack.env['messaging-worker'])
  const logger = createLogger({ name: 'campaign-kills', level: 'silent' })
  const metrics = createMetrics('campaign-kills')
  const queues = createQueues({ url: config.REDIS_URL, service: 'messaging', logger, metrics })
  const { services, database, close } = await openMessaging('campaign-kills', config, {
    ...{ logger, metrics, queues },
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
  const ctx = { workspaceId: new Types.ObjectId().toHexString(), userId: newId() }
  const place = await control('/numbers', { name: 'Kills' })
  await control('/limits', { standardPerSecond: null })
  await services.endpoints.addAppSecret(ctx, new Secret(place.appSecret), { simulated: true })
  const number = await services.numberConnection.connect(ctx, {
    ...{ displayName: 'Kills', phoneNumber: place.displayNumber, phoneNumberId: place.phoneNumberId },
    ...{ businessAccountId: place.accountId, accessToken: new Secret(place.accessToken), graphUrl: simulatorUrl },
    simulated: { phonePageUrl: simulatorUrl },
  })
  const numberId = new Types.ObjectId(number.id)
  await connection.collection('numbers').updateOne({ _id: numberId }, { $set: { throughputPerSecond: 400 } })
  const template = await services.templateChanges.create(ctx, {
    ...{ name: 'kills', language: 'en', category: 'marketing', body: 'Our shop is open on Sunday.' },
    ...{ buttons: [], examples: {} },
  })
  await patiently(async () => expect((await services.templates.read(ctx, template.id)).status).toBe('approved'))
  await addContacts(database.connection, ctx, { count: recipients, firstPhone: 919_700_000_000, tags: ['all'] })

  const draft = await services.campaignDrafts.create(ctx, {
    ...{ name: 'Kills', audience: { kind: 'tags', tags: ['all'] }, numberId: number.id },
    ...{ templateId: template.id, variables: {} },
  })
  const { id } = draft
  await services.campaignReviews.start(ctx, id, draft.version)
  const review = await patiently(async () => {
    const found = await services.campaignReviews.read(ctx, id)
    expect(found.state).toBe('ready')
    return found
  })
  await services.launchCampaign(ctx, id, { preflightId: review.id, accepted: [] })
  const sent = async (): Promise<string[]> => {
    const { items } = await control(`/messages?phone_number_id=${place.phoneNumberId}`)
    return items.map(({ callbackData }: { callbackData: string }) => callbackData)
  }
  for (let count = 0; count < kills; count += 1) {
    const before = (await sent()).length
    const wanted = Math.min(before + recipients / (kills + 2), recipients - 200)
    await patiently(async () => expect((await sent()).length).toBeGreaterThanOrEqual(wanted))
    stack.kill('messaging-worker', 'SIGKILL')
  }

  // Whatever was on its way at a kill ends as uncertain once its lease has, or by its status.
  const finished = await patiently(async () => {
    const campaign = campaignSchema.parse(await services.campaigns.read(ctx, id))
    expect(campaign).toMatchObject({ status: 'completed', counts: { queued: 0 } })
    return campaign
  })
  const calls = await sent()
  expect(new Set(calls).size).toBe(calls.length)
  const rows = async () => connection.collection('campaignRecipients').find().toArray()
  expect(await rows()).toHaveLength(recipients)
  expect(finished.counts.audience).toBe(recipients)
  const reached = new Set(calls)
  const isSent = (state: string) => ['sent', 'delivered', 'read'].includes(state)
  await patiently(async () => {
    const wrong = (await rows()).filter(({ _id, state }) => isSent(state) !== reached.has(String(_id)))
    expect(wrong.map(({ state }) => state).filter((state) => state !== 'uncertain')).toEqual([])
  })
  await patiently(async () => {
    const states = (await rows()).map(({ state }) => state)
    const { counts } = campaignSchema.parse(await services.campaigns.read(ctx, id))
    const uncertain = states.filter((state) => state === 'uncertain').length
    expect(counts).toMatchObject({ sent: states.filter(isSent).length, uncertain, failed: 0, queued: 0 })
  })
}, 900_000)

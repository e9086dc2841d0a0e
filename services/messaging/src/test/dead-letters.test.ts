import { createHmac } from 'node:crypto'
import { queryPlans } from '@parley/service-kit/testing/query-plans'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { jobEnded, newcomerWith } from './contact-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
beforeAll(async () => {
  parley = await startMessaging()
})
afterAll(() => parley.stop())

const patiently = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

test('alerts know how many numbers are stopped, counted from the keys of an index', async () => {
  const { database, worker, number } = parley
  const stopped = async () =>
    /numbers_stopped{.*kind="simulated".*} (\d+)\n/.exec(await (await fetch(`${worker.url}/metrics`)).text())?.[1]
  expect(await stopped()).toBe('0')
  const plans = await queryPlans(database.connection, async () => {
    await parley.services.numbers.stop(parley.scope, number.id, 190, 'The token has expired')
    expect(await stopped()).toBe('1')
  })
  const counts = plans.filter(({ collection, plan }) => collection === 'numbers' && plan.includes('stopped.at'))
  expect(counts.map(({ plan }) => plan)).toContainEqual(expect.stringMatching(/COUNT_SCAN|IXSCAN/))
  await database.connection
    .collection('numbers')
    .updateOne(
      { phoneNumberId: parley.simulatedNumber.phoneNumberId },
      { $unset: { stopped: 1 }, $set: { status: 'active' } },
    )
  expect(await stopped()).toBe('0')
})

test('what cannot be applied is set aside, named to operators, and applied once its cause is gone', async () => {
  const { simulatedNumber, database, scope } = parley
  const { url } = await parley.services.endpoints.callback(scope)
  const post = async (body: string) => {
    const signature = `sha256=${createHmac('sha256', simulatedNumber.appSecret).update(body).digest('hex')}`
    expect((await fetch(url, { method: 'POST', headers: { 'x-hub-signature-256': signature }, body })).status).toBe(200)
  }
  const rows = (name: string, filter = {}) => database.connection.collection(name).find(filter).toArray()
  const message = { id: 'wamid.1', from: '491701234567', timestamp: '1767225600', type: 'text', text: { body: 'Hi' } }
  const value = { metadata: { phone_number_id: simulatedNumber.phoneNumberId }, messages: [message] }
  const hidden = { $set: { phoneNumberId: '1' } }
  // The number is connected a moment too late.
  await database.connection.collection('numbers').updateOne({ phoneNumberId: simulatedNumber.phoneNumberId }, hidden)
  await post(JSON.stringify({ entry: [{ id: simulatedNumber.accountId, changes: [{ field: 'messages', value }] }] }))
  await post('no webhook')
  await patiently(async () => expect(await rows('rawEvents', { deadAt: { $exists: true } })).toHaveLength(2))

  const command = async (...args: string[]) => {
    const file = `${import.meta.dirname}/../dead-letters.ts`
    const { exitCode, output } = await runToEnd(file, { MONGODB_URL: database.url }, args)
    expect(exitCode).toBe(0)
    return output
  }
  const figures = async () => (await fetch(`${parley.worker.url}/metrics`)).text()
  expect(await figures()).toMatch(/webhook_events_set_aside{.*kind="message".*} 1\n/)
  expect(await command()).toMatch(new RegExp(`"workspaceId":"${scope.workspaceId}","count":2`))
  const listed = await command('--workspace', scope.workspaceId)
  expect(listed).toContain('no number of this workspace')
  expect(listed).toContain('no webhook that can be split')

  const shown = { $set: { phoneNumberId: simulatedNumber.phoneNumberId } }
  await database.connection.collection('numbers').updateOne({ phoneNumberId: '1' }, shown)
  expect(await command('--workspace', scope.workspaceId, '--replay')).toContain('"replayed":2')
  await patiently(async () => expect(await rows('messages', { waMessageId: 'wamid.1' })).toHaveLength(1))
  await patiently(async () => expect(await figures()).toMatch(/webhook_events_set_aside{.*kind="message".*} 0\n/))

  const [unreadable] = await vi.waitFor(async () => {
    const dead = await rows('rawEvents', { deadAt: { $exists: true } })
    expect(dead).toHaveLength(1)
    return dead
  }, 60_000)
  const id = String(unreadable?._id)
  expect(await command('--workspace', scope.workspaceId, '--discard', '--event', id)).toContain('"discarded":1')
  expect(await rows('rawEvents', { deadAt: { $exists: true } })).toEqual([])
})

test('a job that failed at every attempt is listed to operators with its error, and done once it is tried again', async () => {
  const { database, redisUrl } = parley
  const { ann } = await newcomerWith(parley, [{ name: 'A' }])
  const action = { kind: 'add_tags', tags: ['late'] }
  const { body } = await ann.call('POST', '/api/contact-jobs/changes', { selection: { filter: {} }, action })
  await jobEnded(ann, body.id)
  const jobs = database.connection.collection('jobs')
  const failed = { state: 'failed', attempts: 8, error: 'the database was away', checkpoint: null, done: 0 }
  await jobs.updateOne({ _id: new Types.ObjectId(body.id) }, { $set: failed })

  const command = (...args: string[]) =>
    runToEnd(
      `${import.meta.dirname}/../failed-jobs.ts`,
      { MONGODB_URL: database.url, REDIS_URL: redisUrl, LOG_LEVEL: 'warn' },
      args,
    )
  const listed = await command()
  expect(listed.exitCode).toBe(0)
  const line = listed.output.split('\n').find((text) => text.includes(body.id)) ?? ''
  expect(JSON.parse(line)).toMatchObject({ workspaceId: ann.workspaceId, error: failed.error })

  const unknown = await command('--retry', new Types.ObjectId().toHexString())
  expect(unknown.exitCode).not.toBe(0)
  expect(unknown.output).toContain('no failed job has the id')
  expect((await command('--retry', body.id)).output).toContain('put back; a worker takes it')
  await patiently(async () =>
    expect(await jobs.findOne({ _id: new Types.ObjectId(body.id) })).toMatchObject({ state: 'done', done: 1 }),
  )
  expect((await command()).output).not.toContain(body.id)
})

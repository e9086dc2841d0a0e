import { createLogger } from '@parley/service-kit/core/logger'
import { loadMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { expect, inject, onTestFinished, test } from 'vitest'
import { flowOf, text } from './drawn-flows.ts'
import { createMessagingModel } from './messaging-model.ts'
import { startServices } from './start-services.ts'

test('an address outlives a deletion that is undone: calls are refused meanwhile, and gone with the workflow', async () => {
  const { urls } = inject('stack')
  const [{ connection, drop }, redisUrl] = await Promise.all([
    openTestDatabase(urls.mongodb),
    emptyTestRedis(urls.redis),
  ])
  await runMigrations(connection, {
    migrations: await loadMigrations(`${import.meta.dirname}/../migrations`),
    logger: createLogger({ name: 'automation-test', level: 'silent' }),
    signal: new AbortController().signal,
  })
  const { services, queues, owner, addWorkflow } = startServices(createMessagingModel({ now: Date.now }), {
    connection,
    redisUrl,
  })
  onTestFinished(async () => {
    await queues.close(0)
    await drop()
  })
  const contact = { by: 'phone', pointer: '/phone', create: true }
  const id = await addWorkflow(flowOf([{ id: 'call', kind: 'hook', contact }, text('hi', 'Hello!')], ['call next hi']))
  const { token } = await services.hooks.replace(owner, { flowId: id, nodeId: 'call' })
  let calls = 0
  const call = () => {
    calls += 1
    const body = Buffer.from(JSON.stringify({ phone: '+919876543210', calls }))
    return services.receiveCall({ token, body, idempotencyKey: undefined })
  }
  expect(await call()).toMatchObject({ result: 'started' })
  await services.workflows.remove(owner, id)
  await expect(call()).rejects.toMatchObject({ code: 'wrong_state' })
  await services.workflows.restore(owner, id)
  await services.workflows.start(owner, id)
  expect(await call()).toMatchObject({ result: 'started' })
  await services.workflows.remove(owner, id)
  await services.workflows.removal.perform({ id, workspaceId: owner.workspaceId })
  await expect(call()).rejects.toMatchObject({ code: 'not_found' })
})

import { newId } from '@parley/service-kit/data/plain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVisibility } from '../modules/inbox/visibility/visibility.service.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

test('what agents see is read once for half a second; a change counts at once here, and then elsewhere', async () => {
  let time = 1000
  const clock = { now: () => time }
  const { connection } = parley.database
  const [here, there] = [createVisibility(connection, clock), createVisibility(connection, clock)]
  const agent = { workspaceId: newId(), userId: newId(), role: 'agent' as const }
  expect(await here.viewerOf(agent)).toBeUndefined()
  expect(await there.viewerOf(agent)).toBeUndefined()

  await here.update(agent, { agentSees: 'own', version: 0 })
  expect(await here.viewerOf(agent)).toBe(agent.userId)
  time += 499
  expect(await there.viewerOf(agent)).toBeUndefined()
  time += 2
  expect(await there.viewerOf(agent)).toBe(agent.userId)
  // A role is never remembered: it comes with each token.
  expect(await there.viewerOf({ ...agent, role: 'admin' })).toBeUndefined()
  expect(await there.viewerOf({ ...agent, workspaceId: newId() })).toBeUndefined()
})

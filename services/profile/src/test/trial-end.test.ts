import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startPeople } from './people.ts'

let people: Awaited<ReturnType<typeof startPeople>>
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())
beforeEach(() => {
  people.messaging.state.isAway = false
  people.messaging.state.plan = { teamMembers: 5, ended: false }
})

const make = async () => {
  const ann = await people.profile.signIn()
  const key = () => people.call(ann, 'POST', '/api/api-keys', { name: 'Shop', scopes: ['contacts:read'] })
  return { ann, key }
}

test('after the trial no key is made; those that are there are listed, replaced and revoked', async () => {
  const { ann, key } = await make()
  const first = await key()
  expect(first.status).toBe(201)
  people.messaging.state.plan = { ended: true }
  expect(await key()).toMatchObject({ status: 409, body: { code: 'plan_limit' } })
  const { id } = first.body.key
  const rotated = await people.call(ann, 'POST', `/api/api-keys/${id}/rotate`, { overlapHours: 1, expiresInDays: 30 })
  expect(rotated.status).toBe(201)
  expect((await people.call(ann, 'DELETE', `/api/api-keys/${rotated.body.key.id}`)).status).toBe(204)
})

test('a key is made while messaging cannot be asked', async () => {
  const { key } = await make()
  people.messaging.state.isAway = true
  expect((await key()).status).toBe(201)
})

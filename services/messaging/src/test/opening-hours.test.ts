import { defaultOpeningHours } from '@parley/contracts/inbox/opening-hours'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'

const path = '/api/workspace/opening-hours'
let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

test('opening hours are a workspace’s own, changed by those who may, never over somebody else’s change, and bots get them', async () => {
  const other = { workspaceId: new Types.ObjectId().toHexString() }
  const [ann, bob, agent] = [parley.signIn(other), parley.signIn(other), parley.signIn({ ...other, role: 'agent' })]
  // The zone is that of the sending hours until they have one of their own.
  const sending = await ann.ask('GET', '/api/workspace/sending-hours')
  await ann.ask('PUT', '/api/workspace/sending-hours', { ...sending, zone: 'Europe/Berlin' })
  expect(await agent.ask('GET', path)).toEqual(defaultOpeningHours('Europe/Berlin'))
  const hours = {
    timeZone: 'Asia/Kathmandu',
    spans: [
      { day: 1, from: '09:00', to: '12:00' },
      { day: 1, from: '14:00', to: '24:00' },
    ],
    closedOn: ['2026-12-25'],
    awayAnswer: 'Back tomorrow.',
  }
  expect((await agent.call('PUT', path, { ...hours, version: 0 })).status).toBe(403)
  const both = await Promise.all([ann, bob].map((member) => member.call('PUT', path, { ...hours, version: 0 })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = both.find(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({ code: 'stale_version', current: { ...hours, version: 1 } })
  expect((await ann.call('PUT', path, { ...hours, closedOn: [], version: 1 })).body.version).toBe(2)
  for (const wrong of [
    { timeZone: 'Mars/Olympus' },
    { spans: [{ day: 7, from: '09:00', to: '10:00' }] },
    { spans: [{ day: 1, from: '9', to: '10:00' }] },
    { closedOn: ['Christmas'] },
    { spans: Array.from({ length: 51 }, () => ({ day: 1, from: '09:00', to: '10:00' })) },
  ])
    expect((await ann.call('PUT', path, { ...hours, ...wrong, version: 2 })).body.code).toBe('validation_failed')
  const bots = parley.signInProcess('automation', other.workspaceId)
  const { openingHours } = await bots.ask('POST', '/internal/lookups', { templateIds: [] })
  const { awayAnswer: _none, ...asked } = hours
  expect(openingHours).toEqual({ ...asked, closedOn: [] })
  expect(await parley.signIn().ask('GET', path)).not.toMatchObject({ spans: hours.spans })
})

import { publicEventSchemas, webhookEvents } from '@parley/contracts/platform/public-events'
import { expect, test } from 'vitest'
import { testEnvelope } from './test-envelope.ts'

test.each(webhookEvents)('the sample of %s has the shape of its event, and says that it is a test', (type) => {
  const delivery = { eventId: 'evt_1', type, at: new Date('2026-03-09T09:30:00Z') }
  const envelope = testEnvelope({ workspaceId: 'w1' }, delivery)
  expect(publicEventSchemas[type].parse(envelope)).toEqual(envelope)
  expect(envelope).toMatchObject({ test: true, sequence: 0 })
})

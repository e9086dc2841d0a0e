import { expect, test } from 'vitest'
import { readInboundStatus } from './inbound-status.ts'

test.each([
  ['captured', 'paid'],
  ['failed', 'failed'],
  ['pending', 'pending'],
  ['refunded tomorrow', undefined],
])('a status of a payment that is %s is no step of the message', (status, payment) => {
  const about = { id: 'wamid.1', timestamp: '1767225600', recipient_id: '491', payment: { reference_id: 'r' } }
  const read = readInboundStatus({ ...about, type: 'payment', status })
  expect([read.status, read.payment]).toEqual([undefined, payment])
})

test.each([
  ['group_marketing', 'marketing'],
  ['group_service', 'service'],
  ['utility', 'utility'],
])('a message of the category %s to a group is charged as %s, in no country', (category, charged) => {
  const about = { id: 'wamid.1', status: 'delivered', timestamp: '1767225600', recipient_id: '120363025', errors: null }
  const read = readInboundStatus({ ...about, recipient_type: 'group', pricing: { billable: null, type: 7, category } })
  expect(read.waId).toBeUndefined()
  expect(read.pricing).toEqual({ billable: true, type: undefined, category: charged })
})

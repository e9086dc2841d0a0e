import { expect, test } from 'vitest'
import { factsOf, unknownFacts } from './number-facts.ts'

const perSecond = (atWhatsApp: Parameters<typeof factsOf>[0], before = unknownFacts) =>
  factsOf(atWhatsApp, before).throughputPerSecond

test('a number that is also in the WhatsApp Business app sends 20 messages a second, whatever its level is', () => {
  expect(perSecond({ throughput: { level: 'STANDARD' }, is_on_biz_app: true })).toBe(20)
  expect(perSecond({ throughput: { level: 'HIGH' }, is_on_biz_app: true })).toBe(20)
  expect(perSecond({ throughput: { level: 'STANDARD' }, is_on_biz_app: false })).toBe(80)
  expect(perSecond({ throughput: { level: 'HIGH' } })).toBe(1000)
  expect(perSecond({}, { ...unknownFacts, throughputPerSecond: 20 })).toBe(20)
})

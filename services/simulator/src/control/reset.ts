import type { Simulator } from '../simulator.ts'
import { usualFaults } from '../webhooks/webhook-body.ts'
import { createAccountEvents } from './account-events.ts'

/**
 * Puts back everything that a person or a test has made go wrong: injected errors, limits, statuses, webhooks, expired tokens,
 * quality and limit of numbers, customers who have blocked a number or switched their phone off. What was written, numbers,
 * templates, opt-outs and the clock stay. The business hears of a quality or a limit that changes.
 */
export function createReset(simulator: Simulator) {
  const { world, outbound, deliveries, limits, faults, waIds } = simulator
  const { rate, limit } = createAccountEvents(simulator)

  return function reset(): void {
    faults.reset()
    limits.reset()
    outbound.reset()
    waIds.reset()
    deliveries.change(usualFaults)
    // A number's token does not end unless an end was set.
    for (const token of world.tokens.values())
      if (token.expiresAt !== null && (token.numberId !== null || token.expiresAt <= world.clock.now()))
        world.tokens.put(token.token, { ...token, expiresAt: null })
    for (const number of world.numbers.values())
      if (number.quality !== number.usualQuality) rate(number, number.usualQuality)
    for (const account of world.accounts.values()) if (account.usualTier !== null) limit(account, account.usualTier)
    for (const customer of world.customers.values()) {
      if (customer.blocks.length === 0 && customer.online) continue
      world.putCustomer({ ...customer, blocks: [], online: true })
      outbound.deliverWaiting(customer.id)
    }
  }
}

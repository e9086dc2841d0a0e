import { tierUsers } from '../engine/limits.ts'
import type { Account, BusinessNumber } from '../records.ts'
import type { Simulator } from '../simulator.ts'

/** Applies and announces the platform's decisions about a number or an account. */
export function createAccountEvents({ world, deliveries }: Pick<Simulator, 'world' | 'deliveries'>) {
  function rate(number: BusinessNumber, quality: BusinessNumber['quality']): void {
    world.numbers.put(number.id, { ...number, quality })
    deliveries.emit(number.accountId, {
      field: 'phone_number_quality_update',
      numberId: number.id,
      value: {
        display_phone_number: number.displayNumber,
        event: quality === 'RED' ? 'FLAGGED' : 'UNFLAGGED',
        max_daily_conversations_per_business: world.accounts.get(number.accountId)?.limitTier ?? 'TIER_NOT_SET',
      },
    })
  }

  function limit(account: Account, tier: string): void {
    const before = account.usualTier ?? account.limitTier
    world.accounts.put(account.id, { ...account, limitTier: tier, usualTier: tier === before ? null : before })
    const value = { max_daily_conversations_per_business: mostOf(tier), max_phone_numbers_per_waba: 25 }
    deliveries.emit(account.id, { field: 'business_capability_update', value })
  }

  return { rate, limit }
}

/** Number of customers in this field, where others name the tier; -1 is without limit. */
const mostOf = (tier: string): number | string => (tier === 'TIER_UNLIMITED' ? -1 : (tierUsers[tier] ?? tier))

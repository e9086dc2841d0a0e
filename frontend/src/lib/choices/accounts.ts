import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { useQuery } from '@tanstack/react-query'
import { numberChoices } from './numbers.ts'

/** A business account at WhatsApp, by the numbers that it has here. */
export interface Account {
  readonly id: string
  readonly label: string
}

/** The accounts of some numbers, in their order. */
function accountsOf(numbers: readonly Pick<WhatsAppNumber, 'businessAccountId' | 'displayName'>[]): Account[] {
  const named = Map.groupBy(numbers, ({ businessAccountId }) => businessAccountId)
  return [...named].map(([id, accountNumbers]) => ({
    id,
    label: accountNumbers.map(({ displayName }) => displayName).join(', '),
  }))
}

/** The accounts to choose from: none where there is one at most, and nothing to choose. */
export function useAccounts(): readonly Account[] {
  const { data = [] } = useQuery(numberChoices())
  const accounts = accountsOf(data)
  return accounts.length > 1 ? accounts : []
}

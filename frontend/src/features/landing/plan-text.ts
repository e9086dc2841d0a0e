import type { Plan } from '@parley/contracts/usage/plans'

/** Numbers of the price list are grouped as in '100,000', whatever the reader's locale. */
const number = new Intl.NumberFormat('en-US')

/** `₹2,999` and `per month`, or `₹0` and `for 14 days`. */
export const priceText = ({ priceMinor, trialDays }: Plan): { amount: string; period: string } => ({
  amount: `₹${number.format(priceMinor / 100)}`,
  period: trialDays === undefined ? 'per month' : `for ${trialDays} days`,
})

/** Returns a plan's contents, one line a cell of the table. */
export const planRows = ({ messages, numbers, teamMembers, extras }: Plan): string[] => [
  `${number.format(messages)} messages`,
  numbers === 1 ? '1 WhatsApp number' : `${numbers} WhatsApp numbers`,
  `${teamMembers} team members`,
  ...extras,
]

/** Names of the plans, the cheapest first. */
export const planIds = ['free_trial', 'starter', 'growth', 'pro'] as const

/** A plan of the price list. */
export interface Plan {
  readonly id: (typeof planIds)[number]
  readonly name: string
  /** In paise: minor units of INR. */
  readonly priceMinor: number
  /** Days until the plan ends by itself; absent where it renews every month. */
  readonly trialDays?: number
  /** Messages per period; as many of them may be templates. */
  readonly messages: number
  readonly numbers: number
  readonly teamMembers: number
  readonly extras: readonly string[]
}

/** The whole price list, cheapest first. Free of imports, so that the landing page can show it at no weight. */
export const plans: readonly Plan[] = [
  {
    id: 'free_trial',
    name: 'Free Trial',
    priceMinor: 0,
    trialDays: 14,
    messages: 1_000,
    numbers: 1,
    teamMembers: 2,
    extras: ['Basic AI chatbot', 'Email support'],
  },
  {
    id: 'starter',
    name: 'Starter',
    priceMinor: 999_00,
    messages: 25_000,
    numbers: 1,
    teamMembers: 2,
    extras: ['AI chatbot with training', 'Priority support'],
  },
  {
    id: 'growth',
    name: 'Growth',
    priceMinor: 2_999_00,
    messages: 100_000,
    numbers: 2,
    teamMembers: 5,
    extras: ['Advanced AI', '24/7 support'],
  },
  {
    id: 'pro',
    name: 'Pro',
    priceMinor: 5_999_00,
    messages: 200_000,
    numbers: 2,
    teamMembers: 10,
    extras: ['Custom AI training', 'Advanced AI', 'Dedicated and 24/7 support'],
  },
]

/** Marked on the landing page. */
export const mostPopularPlan: Plan['id'] = 'growth'

/**
 * The figures that screens are expected to show, and those that follow from them. Every counter of the sample is
 * one of these or is counted from the sample's own records.
 */
export const facts = {
  contacts: 8_234,
  /** Credits of this period. */
  creditsUsed: 6_580,
  creditsLimit: 25_000,
  /** Messages sent in this period, of the plan's quota. */
  messagesSent: 7_234,
  messagesQuota: 10_000,
  resetsInDays: 12,
  /** A period has 30 days, so this one began 18 days ago. */
  periodDays: 30,
  plan: { name: 'Professional', monthlyPrice: { amount: 9_900, currency: 'USD' } },
  /** Sent and received in the last 30 days, and how much more than in the 30 days before. */
  last30Days: { total: 12_486, sent: 10_318, changePercent: 12.5 },
  /** Increase over the 30 days before. */
  activeContactsChangePercent: 8.3,
  botInteractionsChangePercent: 18.6,
  responseRate: 94.2,
  /** Difference between this month's rate and the last one's. */
  responseRateChangePoints: 2.1,
  /** Today's part of the credits used. */
  creditsUsedToday: 410,
} as const

/** Days of this period that are over. */
export const daysIntoPeriod = facts.periodDays - facts.resetsInDays

export const dayMs = 86_400_000
export const hourMs = 3_600_000
export const minuteMs = 60_000

/** The business of the story: a maker of tea and kitchenware in Bengaluru. */
export const business = {
  name: 'Chai & Co',
  timeZone: 'Asia/Kolkata',
  city: 'Bengaluru',
  email: 'hello@chaiandco.example',
  phone: '+918041234567',
} as const

/** Members of the team, who own conversations. */
export const team = [
  { id: 'member-priya', name: 'Priya Nair' },
  { id: 'member-arjun', name: 'Arjun Rao' },
  { id: 'member-sara', name: 'Sara Thomas' },
] as const

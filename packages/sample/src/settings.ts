import type { WhatsAppNumber } from '@parley/contracts/numbers'
import type { Settings } from '@parley/contracts/settings'
import { business, dayMs, facts } from './facts.ts'

/**
 * Settings of the workspace (specification section 2, Settings).
 * @param number absent in an empty workspace, which has sent nothing.
 */
export function createSettings(now: Date, number: WhatsAppNumber | undefined): Settings {
  return {
    account: { name: business.name, email: business.email, phone: business.phone },
    notifications: { newMessages: true, broadcastCompletion: true, botFailures: true, weeklyReports: false },
    billing: {
      plan: facts.plan.name,
      active: true,
      monthlyPrice: facts.plan.monthlyPrice,
      messagesQuota: facts.messagesQuota,
      messagesSent: number ? facts.messagesSent : 0,
      nextBillingAt: new Date(now.getTime() + facts.resetsInDays * dayMs).toISOString(),
    },
  }
}

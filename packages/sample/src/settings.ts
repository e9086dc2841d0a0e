import type { WhatsAppNumber } from '@parley/contracts/numbers'
import type { Settings } from '@parley/contracts/settings'
import { business, dayMs, facts } from './facts.ts'

/**
 * Settings of the workspace (specification section 2, Settings). Its API credentials are those of the default number.
 * @param number absent in an empty workspace, which is connected to nothing and has sent nothing.
 */
export function createSettings(now: Date, number: WhatsAppNumber | undefined): Settings {
  return {
    credentials: {
      connected: number !== undefined,
      phoneNumberId: number?.phoneNumberId ?? '',
      businessAccountId: number?.businessAccountId ?? '',
      accessToken: number ? `EAAGm0PX4ZCpsBAChaiAndCoSampleTokenThatOpensNothing${number.accessToken.last4}` : '',
    },
    webhook: {
      url: 'https://app.parley.example/hooks/whatsapp/chai-and-co-5f21',
      verifyToken: 'pvt_sample_9c41e7d2b8a34f60',
    },
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

import type { Settings } from '@parley/contracts/account/settings'
import { business } from './facts.ts'

/** Settings of the workspace. */
export const createSettings = (): Settings => ({
  account: { name: business.name, email: business.email, phone: business.phone },
  notifications: { newMessages: true, broadcastCompletion: true, botFailures: true, weeklyReports: false },
})

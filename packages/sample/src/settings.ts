import type { Settings } from '@parley/contracts/account/settings'

/** Settings of the workspace. */
export const createSettings = (): Settings => ({
  notifications: { newMessages: true, broadcastCompletion: true, botFailures: true, weeklyReports: false },
})

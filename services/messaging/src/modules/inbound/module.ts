import type { Platform } from '../../platform/platform.ts'
import type { Records } from '../../records.ts'
import type { Campaigns } from '../campaigns/module.ts'
import { createAccountEvents } from '../channel/account-events/account-events.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import type { Usage } from '../usage/module.ts'
import { type AboveApply, createApplyService } from './apply.service.ts'
import { createOrphanUpdates } from './orphan-updates.ts'

export type Inbound = ReturnType<typeof createInbound>

/** Applies what has come in. */
export function createInbound(
  platform: Platform,
  { addNotifications }: Records,
  lower: Channel & Inbox & Contacts & Usage & Templates & Campaigns,
  above: AboveApply,
) {
  const accountEvents = createAccountEvents({ ...platform, ...lower, addNotifications })
  const parked = createOrphanUpdates(platform.mongo)
  return { accountEvents, apply: createApplyService({ ...platform, ...lower, ...above, accountEvents, parked }) }
}

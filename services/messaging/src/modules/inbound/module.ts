import type { Base } from '../../records.ts'
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
export function createInbound(lower: Base & Channel & Inbox & Contacts & Usage & Templates & Campaigns & AboveApply) {
  const accountEvents = createAccountEvents(lower)
  const parked = createOrphanUpdates(lower.mongo)
  return { accountEvents, apply: createApplyService({ ...lower, accountEvents, parked }) }
}

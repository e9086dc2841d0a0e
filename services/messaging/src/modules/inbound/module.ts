import type { Platform } from '../../platform/platform.ts'
import type { Campaigns } from '../campaigns/module.ts'
import { createAccountEvents } from '../channel/account-events/account-events.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import type { Usage } from '../usage/module.ts'
import { createApplyService } from './apply.service.ts'
import { createOrphanUpdates } from './orphan-updates.ts'

/** Applies what has come in. */
export function createInbound(
  platform: Platform,
  lower: Channel & Inbox & Contacts & Usage & Templates & Campaigns,
  above: Pick<Parameters<typeof createAccountEvents>[1], 'addNotifications'>,
) {
  const { mongo, queues } = platform
  const { numbers, numberActivity } = lower
  const accountEvents = createAccountEvents(mongo, { ...lower, ...above })
  const apply = createApplyService({
    ...platform,
    ...lower,
    accountEvents,
    events: lower.ingestedEvents,
    parked: createOrphanUpdates(mongo),
    recordUsage: lower.usage.record,
    commands: lower.customerCommands,
    blockedHaveWritten: lower.blocking.haveWritten,
    numbers: { idsOf: numbers.idsOf, saw: numberActivity.saw, stopForFailure: numbers.stopForFailure },
    fetchMedia: (records) => queues.jobs('media').add(records),
  })
  return { apply, accountEvents }
}

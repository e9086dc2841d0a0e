import { momentOf } from '@parley/contracts/zoned-time'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { tellCampaign } from './campaign-events.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import { type CampaignsRepository, createCampaignsRepository } from './campaigns.repository.ts'

/** The moment of a campaign's schedule by the clock of a zone; of campaigns of older versions the one that they have. */
const scheduledMoment = ({ schedule, scheduledFor }: Scheduled, zone: string): Date | undefined =>
  schedule ? momentOf(schedule, zone) : scheduledFor
type Scheduled = Pick<CampaignRecord, 'schedule' | 'scheduledFor'>

/** Moves the campaigns that wait for their time to the clock of another zone, in the transaction that changes the zone. */
export function createRescheduleAll(mongo: ServiceConnection, cursors: PageCursors) {
  const campaigns = createCampaignsRepository(mongo, cursors)
  return async (scope: WorkspaceScope, zone: string, tx: Tx): Promise<void> => {
    for (const campaign of await campaigns.scheduled(scope, tx)) {
      const at = scheduledMoment(campaign, zone)
      if (!at || at.getTime() === campaign.scheduledFor?.getTime()) continue
      const update = { $set: { scheduledFor: at, nextAt: at } }
      const moved = await campaigns.change(scope, campaign.id, { seen: { status: 'scheduled' }, update }, tx)
      if (moved) tellCampaign(moved, { kind: 'system' }, tx)
    }
  }
}

/** Has a scheduled campaign begin by the clock of the zone as it is now. @returns it as it is then; null where it is not scheduled any more. */
export const createReschedule =
  ({
    campaigns,
    zoneOf,
    transaction,
  }: {
    campaigns: Pick<CampaignsRepository, 'change'>
    zoneOf: (scope: WorkspaceScope) => Promise<string>
    transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  }) =>
  async (campaign: CampaignRecord): Promise<CampaignRecord | null> => {
    const { id, workspaceId, scheduledFor } = campaign
    const at = scheduledMoment(campaign, await zoneOf({ workspaceId }))
    if (!at || at.getTime() === scheduledFor?.getTime()) return campaign
    const update = { $set: { scheduledFor: at, nextAt: at } }
    return transaction(async (tx) => {
      const moved = await campaigns.change({ workspaceId }, id, { seen: { status: 'scheduled' }, update }, tx)
      if (moved) tellCampaign(moved, { kind: 'system' }, tx)
      return moved
    })
  }

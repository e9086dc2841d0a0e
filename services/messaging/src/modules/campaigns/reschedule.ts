import { momentOf } from '@parley/contracts/core/zoned-time'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { SendingHoursService } from '../outbound/sending-hours/sending-hours.service.ts'
import { emitCampaignChanged } from './campaign-events.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import type { NoteCampaign } from './results/timeline.repository.ts'

/** The moment of a campaign's schedule by the clock of a zone, where that is another one. */
function otherMoment({ schedule, scheduledFor }: CampaignRecord, zone: string): Date | undefined {
  const at = schedule && momentOf(schedule, zone)
  return at?.getTime() === scheduledFor?.getTime() ? undefined : at
}

/** @returns it as it is then; null where it is not scheduled any more. */
async function moveTo(
  { campaigns, note }: { campaigns: Pick<CampaignsRepository, 'change'>; note: NoteCampaign },
  { id, workspaceId }: CampaignRecord,
  at: Date,
  tx: Tx,
) {
  const update = { $set: { scheduledFor: at, nextAt: at } }
  const moved = await campaigns.change({ workspaceId }, id, { expected: { status: 'scheduled' }, update }, tx)
  if (!moved) return null
  emitCampaignChanged(moved, { kind: 'system' }, tx)
  await note(moved, { kind: 'rescheduled', scheduledFor: at.toISOString() }, tx)
  return moved
}

/** Moves the campaigns that wait for their time to the clock of another zone, in the transaction that changes the zone. */
export function createRescheduleAll({
  campaigns,
  note,
}: {
  campaigns: Pick<CampaignsRepository, 'scheduled' | 'change'>
  note: NoteCampaign
}) {
  return async (scope: WorkspaceScope, zone: string, tx: Tx): Promise<void> => {
    for (const campaign of await campaigns.scheduled(scope, tx)) {
      const at = otherMoment(campaign, zone)
      if (at) await moveTo({ campaigns, note }, campaign, at, tx)
    }
  }
}

/** Makes a scheduled campaign start by the present clock of the zone. @returns it then; null where it is not scheduled any more. */
export const createReschedule =
  ({
    campaigns,
    note,
    sendingHours: { zoneOf },
    transaction,
  }: {
    campaigns: Pick<CampaignsRepository, 'change'>
    note: NoteCampaign
    sendingHours: Pick<SendingHoursService, 'zoneOf'>
    transaction: RunInTransaction
  }) =>
  async (campaign: CampaignRecord): Promise<CampaignRecord | null> => {
    const { workspaceId } = campaign
    const at = otherMoment(campaign, await zoneOf({ workspaceId }))
    return at ? transaction((tx) => moveTo({ campaigns, note }, campaign, at, tx)) : campaign
  }

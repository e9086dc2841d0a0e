import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Template } from '@parley/contracts/templates/templates'
import { foldText } from '@parley/rules/fold-text'
import { exclusionOf } from '@parley/sample/audience'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { sampleId, sampleIds } from '@parley/service-kit/data/sample-ids'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../platform/sample-records.ts'
import { createFill } from './audience/fill-values.ts'
import { campaignsIn, watched } from './campaigns.model.ts'
import {
  type BlockRecord,
  blockOf,
  blockSchema,
  type RecipientState,
  recipientsIn,
  type TotalsRecord,
  totalsSchema,
} from './recipients/recipients.model.ts'
import { sumOf, talliesOf } from './recipients/tallies.ts'
import { type TimelineRecord, timelineSchema } from './results/timeline.model.ts'

/** A campaign of the story with everyone in it. */
export interface SampleCampaign extends Campaign {
  readonly template: Template
  readonly contacts: readonly Contact[]
}

/** Campaigns of the sample data: their figures are counted from their rows. */
export function createSampleCampaigns(connection: ServiceConnection) {
  const campaigns = sampleRecords(campaignsIn(connection))
  const recipients = sampleRecords(recipientsIn(connection))
  const blocks = sampleRecords(
    workspaceCollection<BlockRecord>({ connection, name: 'campaignBlocks', schema: blockSchema }),
  )
  const totals = sampleRecords(
    workspaceCollection<TotalsRecord>({ connection, name: 'campaignTotals', schema: totalsSchema }),
  )
  const timelines = sampleRecords(
    workspaceCollection<TimelineRecord>({ connection, name: 'campaignEvents', schema: timelineSchema }),
  )
  const all = [campaigns, recipients, blocks, totals, timelines] as const

  return {
    insert: async (scope: WorkspaceScope, sample: readonly SampleCampaign[]): Promise<void> => {
      for (const campaign of sample) {
        const rows = rowsOf(scope, campaign)
        const counted = { campaignId: campaign.id, countedAt: new Date(campaign.updatedAt), sample: true as const }
        const byBlock = [...Map.groupBy(rows, ({ n }) => blockOf(n))].map(([block, blockRows]) => ({
          ...counted,
          block,
          tallies: talliesOf(blockRows.map((row) => ({ ...row, count: 1 }))),
        }))
        await recipients.insert(scope, rows)
        await blocks.insert(scope, byBlock)
        const sum = sumOf(byBlock.map(({ tallies }) => tallies))
        if (rows.length > 0) await totals.insert(scope, [{ ...counted, tallies: sum }])
        const at = new Date(campaign.createdAt)
        const entry = { campaignId: campaign.id, at, told: { kind: 'sample' as const }, sample: true as const }
        await timelines.insert(scope, [{ ...entry, _id: sampleId(scope, `timeline of ${campaign.id}`, at) }])
        await campaigns.insert(scope, [recordOf(campaign, rows.length)])
      }
    },
    remove: async (scope: WorkspaceScope): Promise<void> => {
      for (const records of all) await records.remove(scope)
    },
  }
}

function recordOf(campaign: SampleCampaign, rows: number) {
  const { id: _id, counts, template, contacts: _, createdAt, scheduledFor, startedAt, completedAt, ...rest } = campaign
  const { name, audience, audienceName, numberId, templateId, variables, status } = rest
  const { header, body, footer, buttons, language, category } = template
  const at = scheduledFor === undefined ? undefined : new Date(scheduledFor)
  return {
    _id,
    name,
    audience,
    audienceName,
    numberId,
    templateId,
    variables,
    status,
    searchKey: foldText(`${name} ${template.name}`),
    template: { name: template.name, language, category, header, body, footer, buttons },
    expected: { audience: counts.audience, excluded: counts.excluded, reachable: counts.queued },
    // The open part of the story continues only once a member resumes the campaign.
    frozen: { rows, done: rows > 0 },
    position: 0,
    ...(at && { scheduledFor: at, watch: watched, nextAt: at }),
    ...(startedAt !== undefined && { startedAt: new Date(startedAt) }),
    ...(completedAt !== undefined && { completedAt: new Date(completedAt) }),
    ...(status === 'paused' && { stoppedAt: new Date(campaign.updatedAt) }),
    createdAt: new Date(createdAt),
    sample: true as const,
  }
}

/** Reason of most failures of the story: the platform's code for a number without WhatsApp. */
const notOnWhatsApp = '131026'
const reasons = { optedOut: 'opted_out', blocked: 'blocked', unreachable: 'no_address' } as const

/** One row for each contact, so that they come to the figures that the story tells. */
function rowsOf(scope: WorkspaceScope, campaign: SampleCampaign) {
  if (campaign.status === 'scheduled') return []
  const { id: campaignId, counts } = campaign
  const { read, delivered, sent, failed, clicked, replied } = counts
  const stateOf = (rank: number): RecipientState =>
    rank < read
      ? 'read'
      : rank < delivered
        ? 'delivered'
        : rank < sent
          ? 'sent'
          : rank < sent + failed
            ? 'failed'
            : 'pending'
  const at = new Date(campaign.startedAt ?? campaign.createdAt)
  const fill = createFill(campaign)
  const idOf = sampleIds(scope, `recipient of ${campaignId}`)
  let reached = 0
  return campaign.contacts.map((contact, n) => {
    const _id = idOf(at, n)
    const row = { _id, campaignId, contactId: contact.id, n, sample: true as const }
    const left = exclusionOf(contact)
    if (left) return { ...row, state: 'skipped' as const, reason: reasons[left] }
    const rank = reached
    reached += 1
    return {
      ...row,
      to: contact.phone ?? contact.waUserId,
      values: fill(contact).values,
      state: stateOf(rank),
      ...(stateOf(rank) === 'failed' && { reason: notOnWhatsApp }),
      ...(rank < (clicked ?? 0) && { clicked: true as const }),
      ...(rank < read && rank >= read - (replied ?? 0) && { replied: true as const }),
    }
  })
}

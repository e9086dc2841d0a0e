import { campaignCostApi } from '@parley/contracts/campaigns/campaign-cost'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignResultsApi } from '@parley/contracts/campaigns/campaign-results'
import { campaignTextApi } from '@parley/contracts/campaigns/campaign-text'
import { campaignTimelineApi } from '@parley/contracts/campaigns/campaign-timeline'
import { type AnyCampaign, type Campaign, campaignMoves, campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { defaultSendingHours } from '@parley/contracts/campaigns/sending-hours'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { momentOf } from '@parley/contracts/core/zoned-time'
import { contactsOf, countAudience, leftOutOf } from '@parley/sample/audience'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refusal } from '../answer.ts'
import { allDrafts, findDraft, storeDraft, withContacts } from '../campaigns/drafts.ts'
import { pageOf } from '../page-of.ts'

function find(sampleDataset: SampleDataset, id: string): Campaign {
  const campaign = sampleDataset.campaigns.get(id)
  if (!campaign) throw refusal('not_found', 'There is no such campaign.')
  return campaign
}

function change(campaign: Campaign, { action, schedule }: EndpointInput<typeof campaignsApi.change>['body']): Campaign {
  const { from, to }: { from: readonly Campaign['status'][]; to: Campaign['status'] } = campaignMoves[action]
  if (!from.includes(campaign.status))
    throw refusal('wrong_state', `The status of this campaign has changed: it is now ${campaign.status}.`)
  const at = schedule && momentOf(schedule, defaultSendingHours.zone)
  if (at && at.getTime() <= Date.now()) throw refusal('schedule_past', 'That time has passed: choose a later one.')
  const updatedAt = new Date().toISOString()
  return Object.assign(campaign, {
    status: to,
    version: campaign.version + 1,
    updatedAt,
    ...(at && { schedule, scheduledFor: at.toISOString() }),
    ...(action === 'start_now' && { startedAt: updatedAt }),
  })
}

export const answers = [
  answer(recipientsApi.ofContact, () => ({ items: [] })),
  answer(campaignsApi.list, ({ query }, sampleDataset) => {
    const wanted = (query.q ?? '').toLocaleLowerCase()
    const matching = [...allDrafts(), ...sampleDataset.campaigns.values()]
      .filter(({ status }) => !query.status?.length || query.status.includes(status))
      .filter((campaign) => `${campaign.name} ${campaign.templateName}`.toLocaleLowerCase().includes(wanted))
      .toSorted((left, right) => right.createdAt.localeCompare(left.createdAt))
    return pageOf(matching, query)
  }),
  answer(campaignsApi.summary, (_, sampleDataset) => {
    const all = [...sampleDataset.campaigns.values()]
    const count = (status: Campaign['status']) => all.filter((campaign) => campaign.status === status).length
    const sum = (key: 'sent' | 'delivered') => all.reduce((total, { counts }) => total + counts[key], 0)
    return {
      total: all.length,
      draft: allDrafts().length,
      active: count('active'),
      scheduled: count('scheduled'),
      completed: count('completed'),
      paused: count('paused'),
      sent: sum('sent'),
      delivered: sum('delivered'),
    }
  }),
  answer(campaignsApi.read, ({ params }, sampleDataset): AnyCampaign => {
    const draft = findDraft(params.id)
    return draft ? withContacts(draft, sampleDataset) : find(sampleDataset, params.id)
  }),
  answer(campaignsApi.preview, ({ body }, sampleDataset) => {
    const { audience } = body
    return countAudience(
      contactsOf(audience, sampleDataset.contacts, sampleDataset.now),
      leftOutOf(audience, sampleDataset.now),
    )
  }),
  answer(campaignCostApi.read, ({ params }, sampleDataset) => ({
    planned: null,
    charged: [],
    lines: [],
    unpriced: 0,
    free: 0,
    hasPrices: false,
    unrecorded: find(sampleDataset, params.id).counts.delivered,
  })),
  answer(campaignTextApi.read, ({ params }, sampleDataset) => {
    const template = sampleDataset.templates.get(find(sampleDataset, params.id).templateId)
    if (!template) throw refusal('not_found', 'There is no such template.')
    const { header, body, footer, buttons } = template
    return { text: { header, body, footer, buttons }, changed: null }
  }),
  answer(campaignTimelineApi.read, ({ params, query }, sampleDataset) => {
    const { createdAt: at } = find(sampleDataset, params.id)
    return pageOf([{ id: 'entry-1', kind: 'sample' as const, at }], query)
  }),
  answer(campaignResultsApi.retry, ({ params, body: { scope: missed, classes, templateId } }, sampleDataset) => {
    const { id: campaignId, name, ...earlier } = find(sampleDataset, params.id)
    const audience = { kind: 'campaign' as const, campaignId, missed, ...(classes && { classes }) }
    const { numberId, variables } = earlier
    const fields = { audience, numberId, variables, templateId: templateId ?? earlier.templateId }
    return storeDraft({ name: `${name} again`, ...fields }, sampleDataset)
  }),
  answer(campaignsApi.change, ({ params, body }, sampleDataset) => change(find(sampleDataset, params.id), body)),
]

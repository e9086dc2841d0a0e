import { campaignCostApi } from '@parley/contracts/campaigns/campaign-cost'
import { type CampaignReview, campaignDraftsApi } from '@parley/contracts/campaigns/campaign-drafts'
import {
  type Audience,
  type CampaignDraft,
  completeDraftSchema,
  type DraftFields,
} from '@parley/contracts/campaigns/campaign-fields'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignResultsApi } from '@parley/contracts/campaigns/campaign-results'
import { campaignTextApi } from '@parley/contracts/campaigns/campaign-text'
import {
  type AnyCampaign,
  type Campaign,
  campaignMoves,
  campaignsApi,
  nobodyExcluded,
} from '@parley/contracts/campaigns/campaigns'
import { builtInSegments } from '@parley/contracts/contacts/segments'
import { contactsOf, countAudience, leftOutOf } from '@parley/sample/audience'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refusal } from '../refusal.ts'
import { change, find, insert, newRecord, now, remove, type Workspace } from './workspace.ts'

/** A finished review of `recipients` contacts that all get the message. */
export const reviewOf = (over: Partial<CampaignReview> = {}, recipients = 41): CampaignReview => ({
  id: 'review-1',
  state: 'ready',
  startedAt: now(),
  validUntil: new Date(Date.now() + 900_000).toISOString(),
  counts: { audience: recipients, excluded: nobodyExcluded, recipients },
  fallbacks: [],
  cost: { card: null, lines: [] },
  delivery: null,
  problems: [],
  warnings: [],
  ...over,
})

const nothingSent = { sent: 0, delivered: 0, read: 0, clicked: 0, replied: 0, failed: 0, uncertain: 0 }

function audienceName({ campaigns }: Workspace, audience: Audience): string {
  if (audience.kind === 'campaign') return `${find(campaigns, audience.campaignId).name}: ${audience.missed}`
  if (audience.kind === 'tags') return `Tagged ${audience.tags.join(', ')}`
  return audience.kind === 'segment'
    ? `Segment ${builtInSegments.find(({ id }) => id === audience.segmentId)?.name}`
    : ''
}

/**
 * Creates a draft, or changes one.
 * @param id absent: a new one.
 * @param seen version that the change was made from; unchecked where absent.
 */
export function storeDraft(workspace: Workspace, fields: DraftFields, id?: string, seen?: number): CampaignDraft {
  const { drafts, templates, campaigns } = workspace
  const { audience, templateId } = fields
  const names = {
    audienceName: audience ? audienceName(workspace, audience) : '',
    templateName: (templateId && templates.get(templateId)?.name) || '',
    ...(audience?.kind === 'campaign' && { earlierName: find(campaigns, audience.campaignId).name }),
  }
  if (id !== undefined) return change(drafts, id, { ...fields, ...names }, seen)
  return insert(drafts, { ...newRecord('draft'), id: workspace.nextDraftId(), ...fields, ...names, status: 'draft' })
}

/** Campaigns from their draft to what has become of them. */
export function campaignHandlers(workspace: Workspace) {
  const { contacts, campaigns, drafts, reviews, templates } = workspace

  const findDraft = (id: string): CampaignDraft => {
    if (campaigns.has(id)) throw refusal('wrong_state', 'This campaign has been launched.')
    return find(drafts, id)
  }

  return [
    answer(recipientsApi.ofContact, () => ({ items: [] })),
    answer(campaignsApi.list, ({ query }) => {
      const found = [...drafts.values(), ...campaigns.values()].filter(
        ({ status, name }) =>
          (!query.status?.length || query.status.includes(status)) &&
          name.toLowerCase().includes(query.q?.toLowerCase() ?? ''),
      )
      return pageOf(
        found.sort((left, right) => right.createdAt.localeCompare(left.createdAt)),
        query,
      )
    }),
    answer(campaignsApi.summary, () => {
      const all = [...campaigns.values()]
      const count = (status: Campaign['status']) => all.filter((campaign) => campaign.status === status).length
      const sum = (key: 'sent' | 'delivered') => all.reduce((total, { counts }) => total + counts[key], 0)
      return {
        total: all.length,
        draft: drafts.size,
        active: count('active'),
        scheduled: count('scheduled'),
        completed: count('completed'),
        paused: count('paused'),
        sent: sum('sent'),
        delivered: sum('delivered'),
      }
    }),
    answer(campaignsApi.read, ({ params }): AnyCampaign => drafts.get(params.id) ?? find(campaigns, params.id)),
    answer(campaignsApi.preview, ({ body: { audience } }) =>
      countAudience(contactsOf(audience, contacts, workspace.now), leftOutOf(audience, workspace.now)),
    ),
    answer(campaignsApi.change, ({ params, body: { action } }) => {
      const { from, to }: { from: readonly string[]; to: Campaign['status'] } = campaignMoves[action]
      if (!from.includes(find(campaigns, params.id).status)) throw refusal('wrong_state', 'Its status has changed.')
      return change(campaigns, params.id, { status: to })
    }),
    answer(campaignCostApi.read, ({ params }) => {
      const unrecorded = find(campaigns, params.id).counts.delivered
      return { planned: null, charged: [], lines: [], unpriced: 0, free: 0, hasPrices: false, unrecorded }
    }),
    answer(campaignTextApi.read, ({ params }) => {
      const { header, body, footer, buttons } = find(templates, find(campaigns, params.id).templateId)
      return { text: { header, body, footer, buttons }, changed: null }
    }),
    answer(campaignResultsApi.retry, ({ params, body: { scope: missed, classes, templateId } }) => {
      const { id: campaignId, name, numberId, variables, ...earlier } = find(campaigns, params.id)
      const audience = { kind: 'campaign' as const, campaignId, missed, ...(classes && { classes }) }
      return storeDraft(workspace, {
        name: `${name} again`,
        audience,
        numberId,
        variables,
        templateId: templateId ?? earlier.templateId,
      })
    }),

    answer(campaignDraftsApi.create, ({ body }) => storeDraft(workspace, body)),
    answer(campaignDraftsApi.save, ({ params: { id }, body: { version, ...fields } }) => {
      findDraft(id)
      return storeDraft(workspace, fields, id, version)
    }),
    answer(campaignDraftsApi.remove, ({ params }) => remove(drafts, findDraft(params.id).id)),
    answer(campaignDraftsApi.startReview, ({ params: { id } }) => {
      findDraft(id)
      reviews.set(id, reviewOf())
      return find(reviews, id)
    }),
    answer(campaignDraftsApi.readReview, ({ params }) => find(reviews, params.id)),
    answer(campaignDraftsApi.launch, ({ params: { id } }) => {
      const draft = findDraft(id)
      const { recipients, ...counts } = find(reviews, id).counts
      const status = draft.schedule ? { status: 'scheduled' as const } : { status: 'active' as const, startedAt: now() }
      const fields = completeDraftSchema.parse(draft)
      drafts.delete(id)
      return insert<Campaign>(campaigns, {
        ...draft,
        ...fields,
        ...status,
        counts: { ...counts, queued: recipients, ...nothingSent },
      })
    }),
  ]
}

import { type CampaignReview, reviewLastsMs } from '@parley/contracts/campaigns/campaign-drafts'
import {
  type Audience,
  type CampaignDraft,
  completeDraftSchema,
  type DraftFields,
  draftFieldsSchema,
} from '@parley/contracts/campaigns/campaign-fields'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { defaultSendingHours } from '@parley/contracts/campaigns/sending-hours'
import { momentOf } from '@parley/contracts/core/zoned-time'
import type { Template } from '@parley/contracts/templates/templates'
import { contactsOf, countAudience, leftOutOf } from '@parley/sample/audience'
import { segmentsOf } from '@parley/sample/contacts'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { refusal } from '../answer.ts'

const drafts = new Map<string, CampaignDraft>()
const reviews = new Map<string, { readonly version: number; review: CampaignReview }>()
let created = 0
const now = () => new Date().toISOString()

export const allDrafts = (): CampaignDraft[] => [...drafts.values()]
export const findDraft = (id: string): CampaignDraft | undefined => drafts.get(id)

export function requireDraft(id: string, sampleDataset: SampleDataset): CampaignDraft {
  const draft = drafts.get(id)
  if (draft) return draft
  if (sampleDataset.campaigns.has(id))
    throw refusal('wrong_state', 'This campaign has been launched, so it is no longer a draft.')
  throw refusal('not_found', 'There is no such draft.')
}

/** Returns the name of a campaign's audience. */
function audienceName(audience: Audience, sampleDataset: SampleDataset): string {
  const segments = segmentsOf(sampleDataset.contacts.values(), sampleDataset.now)
  const segmentName = (id: string) => segments.find((segment) => segment.id === id)?.name ?? id
  const { exclude } = audience
  const without = [...(exclude?.tags ?? []), ...(exclude?.segmentIds ?? []).map(segmentName)]
  const chosen = chosenName(audience, { sampleDataset, segmentName })
  return `${chosen}${without.length > 0 ? `, without ${without.join(', ')}` : ''}`.slice(0, 200)
}

function chosenName(
  audience: Audience,
  { sampleDataset, segmentName }: { sampleDataset: SampleDataset; segmentName: (id: string) => string },
): string {
  if (audience.kind === 'tags')
    return `${audience.match === 'all' ? 'Tagged with all of' : 'Tagged'} ${audience.tags.join(', ')}`
  if (audience.kind === 'campaign') {
    const earlier = sampleDataset.campaigns.get(audience.campaignId)
    if (!earlier) throw refusal('not_found', 'There is no such campaign.')
    return `${earlier.name}: ${audience.missed}`
  }
  if (audience.kind === 'import') throw refusal('not_found', 'There is no such import.')
  if (audience.kind === 'contacts')
    return audience.contactIds.length === 1 ? '1 contact' : `${audience.contactIds.length} contacts`
  return `Segment ${segmentName(audience.segmentId)}`
}

/** Stores what was written, with the names that go with it. */
export function storeDraft(fields: DraftFields, sampleDataset: SampleDataset, before?: CampaignDraft): CampaignDraft {
  if (!before) created += 1
  const { audience, templateId } = fields
  const draft: CampaignDraft = {
    ...draftFieldsSchema.parse(fields),
    id: before?.id ?? `draft-${created}`,
    createdAt: before?.createdAt ?? now(),
    updatedAt: now(),
    version: (before?.version ?? 0) + 1,
    status: 'draft',
    audienceName: audience ? audienceName(audience, sampleDataset) : '',
    templateName: (templateId && sampleDataset.templates.get(templateId)?.name) || '',
    ...(audience?.kind === 'campaign' && { earlierName: sampleDataset.campaigns.get(audience.campaignId)?.name ?? '' }),
  }
  drafts.set(draft.id, draft)
  return draft
}

export const removeDraft = (id: string): void => void drafts.delete(id)

/** With the names of its contacts, as one draft is read. */
export function withContacts(draft: CampaignDraft, sampleDataset: SampleDataset): CampaignDraft {
  if (draft.audience?.kind !== 'contacts') return draft
  const contacts = draft.audience.contactIds.map((id) => ({
    id,
    name: sampleDataset.contacts.get(id)?.name ?? 'Deleted',
  }))
  return { ...draft, contacts }
}

function approvedTemplate(id: string, sampleDataset: SampleDataset): Template {
  const template = sampleDataset.templates.get(id)
  if (template?.status !== 'approved')
    throw refusal('template_not_approved', 'WhatsApp has not approved this template. Choose another one.')
  return template
}

const holds = ({ validUntil }: CampaignReview) => validUntil === undefined || validUntil > now()

/** Begins the review of a draft, which is ready the next time that it is read. */
export function startReview(draft: CampaignDraft, sampleDataset: SampleDataset): CampaignReview {
  const known = reviews.get(draft.id)
  if (known?.version === draft.version && holds(known.review)) return known.review
  const complete = completeDraftSchema.safeParse(draft).data
  if (!complete) throw refusal('wrong_state', 'Something is missing in this draft. Fill in each step first.')
  approvedTemplate(complete.templateId, sampleDataset)
  const { excluded } = countAudience([])
  const review: CampaignReview = {
    id: `review-${draft.id}-${draft.version}-${Date.now()}`,
    state: 'counting',
    startedAt: now(),
    counts: { audience: 0, excluded, recipients: 0 },
    fallbacks: [],
    cost: null,
    delivery: null,
    problems: [],
    warnings: [],
  }
  reviews.set(draft.id, { version: draft.version, review })
  return review
}

export function readReview(draft: CampaignDraft, sampleDataset: SampleDataset): CampaignReview {
  const known = reviews.get(draft.id)
  if (!known) throw refusal('not_found', 'This draft has not been reviewed yet.')
  if (known.review.state === 'counting') known.review = finished(known.review, draft, sampleDataset)
  return known.review
}

function finished(review: CampaignReview, draft: CampaignDraft, sampleDataset: SampleDataset): CampaignReview {
  const { audience } = draft
  const { reachable, ...counts } = audience
    ? countAudience(
        contactsOf(audience, sampleDataset.contacts, sampleDataset.now),
        leftOutOf(audience, sampleDataset.now),
      )
    : countAudience([])
  const empty = { code: 'audience_empty' as const, message: 'No one in this audience can be reached.' }
  return {
    ...review,
    state: 'ready',
    validUntil: new Date(Date.now() + reviewLastsMs).toISOString(),
    counts: { ...counts, recipients: reachable },
    cost: { card: null, lines: reachable === 0 ? [] : [{ country: 'IN', count: reachable, priceMicros: null }] },
    problems: reachable === 0 ? [empty] : [],
  }
}

/** Makes a campaign of a draft, under the same id. */
export function launchDraft(draft: CampaignDraft, preflightId: string, sampleDataset: SampleDataset): Campaign {
  const known = reviews.get(draft.id)
  if (known?.version !== draft.version || known.review.id !== preflightId || !holds(known.review))
    throw refusal('preflight_stale', 'Something has changed since this review. Look at the new one.')
  const complete = completeDraftSchema.parse(draft)
  const template = approvedTemplate(complete.templateId, sampleDataset)
  const { recipients, ...counts } = known.review.counts
  const at = complete.schedule && momentOf(complete.schedule, defaultSendingHours.zone)
  const campaign: Campaign = {
    ...complete,
    id: draft.id,
    createdAt: draft.createdAt,
    updatedAt: now(),
    version: draft.version + 1,
    templateName: template.name,
    audienceName: draft.audienceName,
    status: at ? 'scheduled' : 'active',
    counts: { ...counts, queued: recipients, ...nothingSent },
    ...(at ? { scheduledFor: at.toISOString() } : { startedAt: now() }),
  }
  drafts.delete(draft.id)
  sampleDataset.campaigns.set(campaign.id, campaign)
  return campaign
}

const nothingSent = { sent: 0, delivered: 0, read: 0, clicked: 0, replied: 0, failed: 0, uncertain: 0 }

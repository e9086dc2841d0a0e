import { campaignCostApi } from '@parley/contracts/campaign-cost'
import { recipientsApi } from '@parley/contracts/campaign-recipients'
import { campaignTextApi } from '@parley/contracts/campaign-text'
import {
  type Audience,
  type Campaign,
  type CampaignAction,
  campaignsApi,
  type NewCampaign,
} from '@parley/contracts/campaigns'
import type { Template } from '@parley/contracts/templates'
import { contactsOf, countAudience } from '@parley/sample/audience'
import { segmentsOf } from '@parley/sample/contacts'
import type { Story } from '@parley/sample/story'
import { answer, refusal } from '../answer.ts'
import { pageOf } from '../page-of.ts'

let created = 0
const now = () => new Date().toISOString()

function find(story: Story, id: string): Campaign {
  const campaign = story.campaigns.get(id)
  if (!campaign) throw refusal('not_found', 'There is no such campaign.')
  return campaign
}

function audienceName(audience: Audience, story: Story): string {
  if (audience.kind === 'tags') return `Tagged ${audience.tags.join(', ')}`.slice(0, 200)
  if (audience.kind === 'campaign') return `${find(story, audience.campaignId).name}: ${audience.missed}`.slice(0, 200)
  if (audience.kind === 'contacts')
    return audience.contactIds.length === 1 ? '1 contact' : `${audience.contactIds.length} contacts`
  const segment = segmentsOf(story.contacts.values(), story.now).find(({ id }) => id === audience.segmentId)
  return `Segment ${segment?.name ?? audience.segmentId}`
}

function create(body: NewCampaign, story: Story): Campaign {
  const template = approvedTemplate(body.templateId, story)
  const { reachable, ...count } = countAudience(contactsOf(body.audience, story.contacts, story.now))
  created += 1
  const campaign: Campaign = {
    ...body,
    id: `campaign-new-${created}`,
    createdAt: now(),
    updatedAt: now(),
    version: 1,
    templateName: template.name,
    audienceName: audienceName(body.audience, story),
    status: body.scheduledFor ? 'scheduled' : 'active',
    counts: {
      ...count,
      queued: reachable,
      sent: 0,
      delivered: 0,
      read: 0,
      clicked: 0,
      replied: 0,
      failed: 0,
      uncertain: 0,
    },
    ...(!body.scheduledFor && { startedAt: now() }),
  }
  story.campaigns.set(campaign.id, campaign)
  return campaign
}

function approvedTemplate(id: string, story: Story): Template {
  const template = story.templates.get(id)
  if (template?.status !== 'approved')
    throw refusal('template_not_approved', 'WhatsApp has not approved this template. Choose another one.')
  return template
}

/** Statuses that an action starts from. */
const from: Record<CampaignAction, readonly Campaign['status'][]> = {
  pause: ['active'],
  resume: ['paused'],
  cancel: ['scheduled', 'active', 'paused'],
}
const to = { pause: 'paused', resume: 'active', cancel: 'cancelled' } as const

function change(campaign: Campaign, action: CampaignAction): Campaign {
  if (!from[action].includes(campaign.status))
    throw refusal('wrong_state', `This campaign is ${campaign.status}, which has changed meanwhile.`)
  return Object.assign(campaign, { status: to[action], version: campaign.version + 1, updatedAt: now() })
}

export const answers = [
  answer(recipientsApi.ofContact, () => ({ items: [] })),
  answer(campaignsApi.list, ({ query }, story) => {
    const wanted = (query.q ?? '').toLocaleLowerCase()
    const matching = [...story.campaigns.values()]
      .filter(({ status }) => !query.status?.length || query.status.includes(status))
      .filter(({ name, templateName }) => `${name} ${templateName}`.toLocaleLowerCase().includes(wanted))
      .toSorted((left, right) => right.createdAt.localeCompare(left.createdAt))
    return pageOf(matching, query)
  }),
  answer(campaignsApi.summary, (_, story) => {
    const all = [...story.campaigns.values()]
    const count = (status: Campaign['status']) => all.filter((campaign) => campaign.status === status).length
    const sum = (key: 'sent' | 'delivered') => all.reduce((total, { counts }) => total + counts[key], 0)
    return {
      total: all.length,
      active: count('active'),
      scheduled: count('scheduled'),
      completed: count('completed'),
      paused: count('paused'),
      sent: sum('sent'),
      delivered: sum('delivered'),
    }
  }),
  answer(campaignsApi.read, ({ params }, story) => find(story, params.id)),
  answer(campaignsApi.preview, ({ body }, story) => {
    return countAudience(contactsOf(body.audience, story.contacts, story.now))
  }),
  answer(campaignsApi.cost, ({ body }, story) => {
    const { reachable } = countAudience(contactsOf(body.audience, story.contacts, story.now))
    return { card: null, lines: reachable === 0 ? [] : [{ country: 'IN', count: reachable, priceMicros: null }] }
  }),
  answer(campaignCostApi.read, ({ params }, story) => ({
    ...{ planned: null, charged: [], lines: [], unpriced: 0, free: 0, hasPrices: false },
    unrecorded: find(story, params.id).counts.delivered,
  })),
  answer(campaignTextApi.read, ({ params }, story) => {
    const template = story.templates.get(find(story, params.id).templateId)
    if (!template) throw refusal('not_found', 'There is no such template.')
    const { header, body, footer, buttons } = template
    return { text: { header, body, footer, buttons }, changed: null }
  }),
  answer(campaignsApi.create, ({ body }, story) => create(body, story)),
  answer(campaignsApi.change, ({ params, body }, story) => change(find(story, params.id), body.action)),
]

import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { CampaignDraft, DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import { type AnyCampaign, nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { errorOf, type stubServer } from './stub-server.ts'

export const draftId = 'draft-1'
const path = `/api/campaigns/${draftId}`

/** Returns a finished review of `recipients` contacts that all get the message. */
export function reviewOf(over: Partial<CampaignReview> = {}, recipients = 41): CampaignReview {
  return {
    id: 'review-1',
    state: 'ready',
    startedAt: new Date().toISOString(),
    validUntil: new Date(Date.now() + 900_000).toISOString(),
    counts: { audience: recipients, excluded: nobodyExcluded, recipients },
    fallbacks: [],
    cost: { card: null, lines: [] },
    delivery: null,
    problems: [],
    warnings: [],
    ...over,
  }
}

/** Everything that a review needs. */
export const finishedFields: DraftFields = {
  name: 'Spring tea',
  audience: { kind: 'segment', segmentId: 'vip' },
  numberId: 'number-1',
  templateId: 'template-2',
  variables: { first_name: { kind: 'field', field: 'firstName', fallback: 'there' } },
}

/**
 * One draft as the server has it, which outlives a reload of the page and is changed by colleagues too.
 * @param begun absent: none yet.
 */
export function draftServer(server: ReturnType<typeof stubServer>, begun?: DraftFields) {
  let stored: AnyCampaign | undefined
  let happens: (() => void) | undefined
  const at = new Date().toISOString()
  const none = () => ({ status: 404, json: errorOf('not_found', 'There is no such draft.') })
  const store = (fields: DraftFields): CampaignDraft => {
    const version = (stored?.version ?? 0) + 1
    const names = { audienceName: fields.audience ? 'Segment VIP' : '', templateName: '' }
    const draft = { ...fields, ...names, id: draftId, createdAt: at, updatedAt: at, version, status: 'draft' as const }
    stored = draft
    return draft
  }
  if (begun) store(begun)
  server.answer('POST /api/campaigns', ({ body }) => ({ status: 201, json: store(JSON.parse(body ?? '')) }))
  server.answer(`GET ${path}`, () => (stored ? { json: stored } : none()))
  server.answer(`PATCH ${path}`, ({ body }) => {
    const { version, ...fields } = JSON.parse(body ?? '')
    const meanwhile = happens
    happens = undefined
    meanwhile?.()
    if (!stored) return none()
    if (stored.status !== 'draft') return { status: 409, json: errorOf('wrong_state', 'It was launched.') }
    if (version !== stored.version)
      return { status: 409, json: { ...errorOf('stale_version', 'Changed elsewhere.'), current: stored } }
    return { json: store(fields) }
  })
  server.answer(`POST ${path}/preflight`, () => ({ status: 202, json: reviewOf() }))
  return {
    stored: () => stored,
    /** The bodies of what the page has saved. */
    saved: (method: 'POST' | 'PATCH' = 'PATCH') =>
      server.calls
        .filter((call) => call.method === method && call.path === (method === 'POST' ? '/api/campaigns' : path))
        .map(({ body }) => JSON.parse(body ?? '')),
    review: (answer: () => CampaignReview) =>
      server.answer(`POST ${path}/preflight`, () => ({ status: 202, json: answer() })),
    path,
    /** Runs a change by another member before the page's next save. */
    beforeNextSave: (what: () => void) => {
      happens = what
    },
    /** A colleague saves. */
    change: (fields: Partial<DraftFields>) => {
      if (stored?.status === 'draft') store({ ...(stored as DraftFields), ...fields })
    },
    /** A colleague launches it. */
    launch: () => {
      const campaign = createSampleDataset({ now: new Date() }).campaigns.get('campaign-2')
      if (campaign && stored) stored = { ...campaign, id: draftId, name: stored.name, version: stored.version + 1 }
      return stored
    },
    remove: () => {
      stored = undefined
    },
  }
}

import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import type { stubServer } from './stub-server.ts'
import { storeDraft } from './workspace/campaigns.ts'
import { find, insert } from './workspace/workspace.ts'

export const draftId = 'draft-1'
const path = `/api/campaigns/${draftId}`

/** Fields that a review needs. */
export const finishedFields: DraftFields = {
  name: 'Spring tea',
  audience: { kind: 'segment', segmentId: 'vip' },
  numberId: 'number-1',
  templateId: 'template-2',
  variables: { first_name: { kind: 'field', field: 'firstName', fallback: 'there' } },
}

/**
 * The first draft of the workspace, which is changed by colleagues too.
 * @param begun absent: none yet.
 */
export function draftServer(server: ReturnType<typeof stubServer>, begun?: DraftFields) {
  const { drafts, campaigns } = server.workspace
  if (begun) storeDraft(server.workspace, begun)
  return {
    stored: () => drafts.get(draftId) ?? campaigns.get(draftId),
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
      let happens: typeof what | undefined = what
      server.answer(`PATCH ${path}`, () => {
        happens?.()
        happens = undefined
        return undefined
      })
    },
    /** A colleague saves. */
    change: (fields: Partial<DraftFields>) => {
      const draft = drafts.get(draftId)
      if (draft) storeDraft(server.workspace, { ...draft, ...fields }, draftId)
    },
    /** It is launched, and goes on as a campaign of the sample data does. */
    launch: (like = 'campaign-2') => {
      const { id, name, version } = find(drafts, draftId)
      drafts.delete(id)
      return insert(campaigns, { ...find(campaigns, like), id, name, version: version + 1 })
    },
    remove: () => drafts.delete(draftId),
  }
}

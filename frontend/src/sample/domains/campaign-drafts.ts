import { campaignDraftsApi } from '@parley/contracts/campaigns/campaign-drafts'
import { answer, refuseStale } from '../answer.ts'
import { launchDraft, readReview, removeDraft, requireDraft, startReview, storeDraft } from '../campaigns/drafts.ts'

export const answers = [
  answer(campaignDraftsApi.create, ({ body }, sampleDataset) => storeDraft(body, sampleDataset)),
  answer(campaignDraftsApi.save, ({ params, body: { version, ...fields } }, sampleDataset) => {
    const draft = requireDraft(params.id, sampleDataset)
    refuseStale('draft', draft, version)
    return storeDraft(fields, sampleDataset, draft)
  }),
  answer(campaignDraftsApi.remove, ({ params }, sampleDataset) => {
    removeDraft(requireDraft(params.id, sampleDataset).id)
    return undefined
  }),
  answer(campaignDraftsApi.startReview, ({ params, body }, sampleDataset) => {
    const draft = requireDraft(params.id, sampleDataset)
    refuseStale('draft', draft, body.version)
    return startReview(draft, sampleDataset)
  }),
  answer(campaignDraftsApi.readReview, ({ params }, sampleDataset) =>
    readReview(requireDraft(params.id, sampleDataset), sampleDataset),
  ),
  answer(campaignDraftsApi.launch, ({ params, body }, sampleDataset) =>
    launchDraft(requireDraft(params.id, sampleDataset), body.preflightId, sampleDataset),
  ),
]

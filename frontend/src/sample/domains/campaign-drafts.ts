import { campaignDraftsApi } from '@parley/contracts/campaign-drafts'
import { answer, refuseStale } from '../answer.ts'
import { launchDraft, readReview, removeDraft, requireDraft, startReview, storeDraft } from '../campaigns/drafts.ts'

export const answers = [
  answer(campaignDraftsApi.create, ({ body }, story) => storeDraft(body, story)),
  answer(campaignDraftsApi.save, ({ params, body: { version, ...fields } }, story) => {
    const draft = requireDraft(params.id, story)
    refuseStale('draft', draft, version)
    return storeDraft(fields, story, draft)
  }),
  answer(campaignDraftsApi.remove, ({ params }, story) => {
    removeDraft(requireDraft(params.id, story).id)
    return undefined
  }),
  answer(campaignDraftsApi.startReview, ({ params, body }, story) => {
    const draft = requireDraft(params.id, story)
    refuseStale('draft', draft, body.version)
    return startReview(draft, story)
  }),
  answer(campaignDraftsApi.readReview, ({ params }, story) => readReview(requireDraft(params.id, story), story)),
  answer(campaignDraftsApi.launch, ({ params, body }, story) =>
    launchDraft(requireDraft(params.id, story), body.preflightId, story),
  ),
]

import { type CampaignReview, campaignDraftsApi, type ReviewWarning } from '@parley/contracts/campaigns/campaign-drafts'
import { type CampaignDraft, type DraftFields, draftFieldsSchema } from '@parley/contracts/campaigns/campaign-fields'
import { campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { campaignKeys, templateKeys, usageKeys } from '../../lib/query-keys.ts'
import { offerUndo } from '../../lib/undo.ts'
import { useChange } from '../../lib/use-change.ts'
import { useRecordChange } from '../../lib/use-record-change.ts'
import { campaignRecords } from './api.ts'

/** Returns a draft's name, or a default one. */
export const nameOf = ({ name }: Pick<CampaignDraft, 'name'>): string => name || 'Untitled campaign'

/** Returns a draft's written fields, without what the server adds. */
export const writtenOf = (draft: CampaignDraft): DraftFields => draftFieldsSchema.parse(draft)

/** A draft with the names of its contacts; or what has become of it. */
export const draftOptions = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.draft(id),
    queryFn: ({ signal }) => call(campaignsApi.read, { params: { id }, signal }),
  })

const refresh = (client: QueryClient) =>
  Promise.all([campaignKeys.lists, campaignKeys.summary].map((queryKey) => client.invalidateQueries({ queryKey })))

/** Takes over what the server has stored of a draft, wherever it is shown. */
export function receiveDraft(client: QueryClient, draft: CampaignDraft): void {
  client.setQueryData(campaignKeys.draft(draft.id), draft)
  campaignRecords.receive(client, draft)
  void refresh(client)
}

/** Deletes at once, with Undo, which writes it once more; the card comes back if the server refuses. */
export const useDeleteDraft = (draft: CampaignDraft) =>
  useRecordChange({
    records: campaignRecords,
    id: draft.id,
    patch: () => () => undefined,
    run: (_: undefined, intent) => call(campaignDraftsApi.remove, { params: { id: draft.id }, ...intent }),
    failed: 'The draft could not be deleted. Try again.',
    onSuccess: (_output, _input, client) => {
      client.removeQueries({ queryKey: campaignKeys.one(draft.id) })
      // The same for each try: to press Undo again after no answer came makes one draft.
      const idempotencyKey = crypto.randomUUID()
      offerUndo(`${nameOf(draft)} deleted`, async () => {
        receiveDraft(client, await call(campaignDraftsApi.create, { body: writtenOf(draft), idempotencyKey }))
      })
    },
    invalidates: [campaignKeys.lists, campaignKeys.summary],
  })

/** The review of a draft in a version: begun if there is none that holds, then read until it is ready. */
export const reviewOptions = (id: string, version: number) =>
  queryOptions({
    queryKey: campaignKeys.review(id, version),
    queryFn: ({ signal, client }) => {
      const known = client.getQueryData<CampaignReview>(campaignKeys.review(id, version))
      return known?.state === 'counting'
        ? call(campaignDraftsApi.readReview, { params: { id }, signal })
        : call(campaignDraftsApi.startReview, { params: { id }, body: { version }, signal })
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'counting' ? 1000 : false),
  })

/** Sends or schedules what a review has written down. */
export function useLaunchDraft() {
  const client = useQueryClient()
  return useChange({
    run: ({ id, ...body }: { id: string; preflightId: string; accepted: ReviewWarning[] }, intent) =>
      call(campaignDraftsApi.launch, { params: { id }, body, ...intent }),
    onSuccess: (campaign) => {
      campaignRecords.receive(client, campaign)
      client.setQueryData(campaignKeys.one(campaign.id), campaign)
      // A template's card says how many campaigns use it.
      for (const queryKey of [campaignKeys.lists, campaignKeys.summary, templateKeys.all, usageKeys.all])
        void client.invalidateQueries({ queryKey })
    },
  })
}

import { type Approval, approvalsApi, needsApproval } from '@parley/contracts/campaigns/approvals'
import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { approvalRulesOptions } from '../../../lib/choices/approvals.ts'
import { explain } from '../../../lib/explain.ts'
import { approvalKeys, campaignKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { toast } from '../../../ui/toast.ts'

const approvalOptions = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.approval(id),
    queryFn: async ({ signal }) => (await call(approvalsApi.ofCampaign, { params: { id }, signal })).approval,
  })

/** Tells whether a reviewed draft needs an approval, and the latest request for one. */
export function useApproval(id: string, ready: CampaignReview | undefined) {
  const { data: rules } = useQuery(approvalRulesOptions())
  const isNeeded = rules !== undefined && ready !== undefined && needsApproval(rules, ready.counts.recipients)
  const { data: approval } = useQuery({ ...approvalOptions(id), enabled: isNeeded })
  return {
    draftId: id,
    limit: rules?.campaignRecipients ?? 0,
    isNeeded,
    approval,
    isMissing: isNeeded && approval?.state !== 'approved',
  }
}

type Decision = { decision: 'approve' } | { decision: 'decline'; reason: string }

/** Asks for an approval, and decides on a request. */
export function useApprovalChanges(draftId: string) {
  const client = useQueryClient()
  const show = (approval: Approval) => {
    client.setQueryData(campaignKeys.approval(draftId), approval)
    void client.invalidateQueries({ queryKey: approvalKeys.waiting })
  }
  const failed = (sentence: string) => (error: Error) => {
    toast.error(explain(error, sentence))
    void client.invalidateQueries({ queryKey: campaignKeys.approval(draftId) })
  }
  const ask = useChange({
    run: (body: { preflightId: string; note: string }, intent) =>
      call(approvalsApi.ask, { params: { id: draftId }, body, ...intent }),
    onSuccess: show,
    onError: failed('The request could not be sent. Try again.'),
  })
  const decide = useChange({
    run: ({ id, ...body }: { id: string } & Decision, intent) =>
      call(approvalsApi.decide, { params: { id }, body, ...intent }),
    onSuccess: show,
    onError: failed('The decision could not be stored. Try again.'),
  })
  return { ask, decide }
}

import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import { approvalsApi, needsApproval } from '@parley/contracts/platform/approvals'
import { sumOf } from '@parley/contracts/usage/rate-cards'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { approvalRulesOptions } from '../../../lib/choices/approvals.ts'
import { campaignKeys } from '../../../lib/query-keys.ts'

const approvalOptions = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.approval(id),
    queryFn: async ({ signal }) => (await call(approvalsApi.ofCampaign, { params: { id }, signal })).approval,
  })

/** Tells whether a reviewed draft needs an approval, and the latest request for one. */
export function useApproval(id: string, ready: CampaignReview | undefined) {
  const { data: rules } = useQuery(approvalRulesOptions())
  const size = { recipients: ready?.counts.recipients ?? 0, ...sumOf(ready?.cost?.lines ?? []) }
  const isNeeded = rules !== undefined && ready !== undefined && needsApproval(rules, size)
  const { data: approval } = useQuery({ ...approvalOptions(id), enabled: isNeeded })
  return {
    draftId: id,
    limits: { recipients: rules?.campaignRecipients ?? null, cost: rules?.campaignCost ?? null },
    isNeeded,
    approval,
    isMissing: isNeeded && approval?.state !== 'approved',
  }
}

import { approvalsApi } from '@parley/contracts/platform/approvals'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { approvalKeys } from '../query-keys.ts'

/** Which actions need an approval. */
export const approvalRulesOptions = () =>
  queryOptions({
    queryKey: approvalKeys.rules,
    queryFn: ({ signal }) => call(approvalsApi.readRules, { signal }),
  })

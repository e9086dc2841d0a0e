import { approvalsApi } from '@parley/contracts/platform/approvals'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { approvalKeys } from '../query-keys.ts'

/** Reads the rules of approvals: actions that need one, and from which size on. */
export const approvalRulesOptions = () =>
  queryOptions({
    queryKey: approvalKeys.rules,
    queryFn: ({ signal }) => call(approvalsApi.readRules, { signal }),
  })

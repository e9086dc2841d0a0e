import { isFileHeader } from '@parley/contracts/campaigns/recipient-files'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import type { Template } from '@parley/contracts/templates/templates'
import { unsendableReason } from '@parley/contracts/templates/unsendable'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Approved templates, also those that cannot be sent: `unsendableReason`. */
export const templateChoices = () =>
  queryOptions({
    queryKey: choiceKeys.templates,
    queryFn: async ({ signal }) => {
      const query = { status: ['approved' as const], category: undefined, language: undefined, limit: choiceLimit }
      return (await call(templatesApi.list, { query, signal })).items
    },
    staleTime: choiceStaleMs,
  })

/** Returns why a campaign cannot send an approved template, whose recipients may get files of their own. */
export const unsendableInCampaign = (template: Template): string | undefined =>
  !template.unsupported && isFileHeader(template.headerMedia?.kind) ? undefined : unsendableReason(template)

/** Returns whether numbers of an account can send a template; sample templates name no account. */
export const isOfAccount = ({ accountId }: Pick<Template, 'accountId'>, of: string | undefined): boolean =>
  accountId === undefined || of === undefined || accountId === of

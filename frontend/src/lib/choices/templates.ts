import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { missingHeader } from '@parley/contracts/templates/template-headers'
import type { Template } from '@parley/contracts/templates/templates'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Templates that can be sent. */
export const templateChoices = () =>
  queryOptions({
    queryKey: choiceKeys.templates,
    queryFn: async ({ signal }) => {
      const query = { status: ['approved' as const], category: undefined, language: undefined, limit: choiceLimit }
      return (await call(templatesApi.list, { query, signal })).items.filter(
        ({ unsupported, headerMedia }) => !unsupported && missingHeader(headerMedia) === undefined,
      )
    },
    staleTime: choiceStaleMs,
  })

/** Returns whether numbers of an account can send a template; sample templates name no account. */
export const isOfAccount = ({ accountId }: Pick<Template, 'accountId'>, of: string | undefined): boolean =>
  accountId === undefined || of === undefined || accountId === of

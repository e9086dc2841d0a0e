import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { type ApiKeyChange, keyCallsApi, type NewApiKey, type overlapHours } from '@parley/contracts/account/api-keys'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { apiKeyKeys } from '../../../lib/query-keys.ts'
import { isUnanswered, useChange } from '../../../lib/use-change.ts'

export const apiKeysOptions = () =>
  queryOptions({
    queryKey: apiKeyKeys.lists,
    queryFn: async ({ signal }) => (await call(apiKeysApi.list, { signal })).items,
  })

export const keyCallsOptions = (id: string) =>
  queryOptions({
    queryKey: apiKeyKeys.calls(id),
    queryFn: async ({ signal }) => (await call(keyCallsApi.list, { params: { id }, signal })).items,
    // It grows while one looks at it.
    staleTime: 0,
  })

/** A change of the keys; the list is read anew before it counts as done, also where it failed: a key may have been made all the same. */
function useKeyChange<I, O>(run: (input: I) => Promise<O>) {
  const client = useQueryClient()
  return useChange({ run, onSettled: () => client.invalidateQueries({ queryKey: apiKeyKeys.lists }) })
}

export const useCreateKey = () => useKeyChange((body: NewApiKey) => call(apiKeysApi.create, { body }))

/** Returns why no key was received. One whose answer was lost on the way is valid, and can never be shown. */
export const explainNoKey = (error: unknown, otherwise: string): string =>
  isUnanswered(error)
    ? 'No answer came. The key may have been made: look for one that was never used and revoke it, then try again.'
    : explain(error, otherwise)

export const useUpdateKey = () =>
  useKeyChange(({ id, ...body }: ApiKeyChange & { id: string }) => call(apiKeysApi.update, { params: { id }, body }))

export const useRotateKey = () =>
  useKeyChange(({ id, ...body }: { id: string; overlapHours: (typeof overlapHours)[number] }) =>
    call(apiKeysApi.rotate, { params: { id }, body }),
  )

export const useRevokeKey = () => useKeyChange((id: string) => call(apiKeysApi.revoke, { params: { id } }))

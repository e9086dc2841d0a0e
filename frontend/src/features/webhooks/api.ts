import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { type NewWebhook, webhooksApi } from '@parley/contracts/platform/webhooks'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { webhookKeys } from '../../lib/query-keys.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'

/** Every webhook of the workspace: there are few. */
export const webhookListOptions = () =>
  queryOptions({
    queryKey: webhookKeys.lists,
    queryFn: ({ signal }) => call(webhooksApi.list, { query: { limit: 100 }, signal }),
  })

/** A change of the webhooks; the list is read anew before it counts as done. */
function useWebhookChange<I, O>(run: (input: I, intent: Intent) => Promise<O>) {
  const client = useQueryClient()
  return useChange({ run, onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.all }) })
}

export const useCreateWebhook = () =>
  useWebhookChange((body: NewWebhook, intent) => call(webhooksApi.create, { body, ...intent }))

export const useUpdateWebhook = () =>
  useWebhookChange((request: EndpointRequest<typeof webhooksApi.update>, intent) =>
    call(webhooksApi.update, { ...request, ...intent }),
  )

export const useRemoveWebhook = () =>
  useWebhookChange((id: string, intent) => call(webhooksApi.remove, { params: { id }, ...intent }))

import { type Credentials, credentialsApi } from '@parley/contracts/channel/credentials'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { choiceKeys, credentialKeys, numberKeys } from '../../lib/query-keys.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'

type Entered = EndpointRequest<typeof credentialsApi.update>['body']

export const credentialsOptions = () =>
  queryOptions({
    queryKey: credentialKeys.all,
    queryFn: ({ signal }) => call(credentialsApi.read, { signal }),
  })

export function useSaveCredentials() {
  const client = useQueryClient()
  return useChange({
    run: (body: Entered, intent) => call(credentialsApi.update, { body, ...intent }),
    onSuccess: (stored: Credentials) => {
      client.setQueryData(credentialKeys.all, stored)
      for (const queryKey of [numberKeys.all, choiceKeys.numbers]) void client.invalidateQueries({ queryKey })
    },
  })
}

export const useTestConnection = () =>
  useChange({ run: (body: Entered, intent: Intent) => call(credentialsApi.test, { body, ...intent }) })

/** A change of the webhook's secrets; what is shown of them is read anew before it counts as done. */
function useWebhookChange<O>(run: (intent: Intent) => Promise<O>) {
  const client = useQueryClient()
  return useChange({
    run: (_: undefined, intent) => run(intent),
    onSuccess: () => client.invalidateQueries({ queryKey: credentialKeys.all }),
  })
}

export const useRegenerateToken = () => useWebhookChange((intent) => call(credentialsApi.regenerateVerifyToken, intent))

export const useRemovePreviousSecret = () =>
  useWebhookChange((intent) => call(credentialsApi.removePreviousAppSecret, intent))

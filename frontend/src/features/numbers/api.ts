import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import type { NewNumber } from '@parley/contracts/channel/numbers'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { choiceKeys, credentialKeys, numberKeys } from '../../lib/query-keys.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'

/** Query of all numbers of the workspace: there are few. */
export const numberListOptions = () =>
  queryOptions({
    queryKey: numberKeys.lists,
    queryFn: ({ signal }) => call(numbersApi.list, { query: { limit: 100 }, signal }),
  })

/** Reads WhatsApp's recent notices about a number. */
export const numberEventsOptions = (id: string) =>
  queryOptions({
    queryKey: numberKeys.events(id),
    queryFn: ({ signal }) => call(numbersApi.events, { params: { id }, signal }),
  })

/** A change of the numbers; the list is read again before it counts as done. */
function useNumberChange<I, O>(run: (input: I, intent: Intent) => Promise<O>) {
  const client = useQueryClient()
  return useChange({
    run,
    onSuccess: () =>
      Promise.all(
        [numberKeys.all, choiceKeys.numbers, credentialKeys.all].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

export const useConnectNumber = () =>
  useNumberChange((body: NewNumber, intent) => call(numbersApi.connect, { body, ...intent }))

export const useSimulateNumber = () => useNumberChange((_: undefined, intent) => call(numbersApi.simulate, intent))

/** Tries steps of a number's check list again. */
export const useCheckNumber = () =>
  useNumberChange((request: EndpointRequest<typeof numbersApi.check>, intent) =>
    call(numbersApi.check, { ...request, ...intent }),
  )

export const useUpdateNumber = () =>
  useNumberChange((request: EndpointRequest<typeof numbersApi.update>, intent) =>
    call(numbersApi.update, { ...request, ...intent }),
  )

export const useRemoveNumber = () =>
  useNumberChange((id: string, intent) => call(numbersApi.remove, { params: { id }, ...intent }))

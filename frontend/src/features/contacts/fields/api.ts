import { type Attribute, attributesApi, type NewAttribute } from '@parley/contracts/contacts/contact-attributes'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { choiceKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'

const invalidate = (client: QueryClient) => client.invalidateQueries({ queryKey: choiceKeys.attributes })

/** Defines a field, or changes the one that is named as it was when the dialog opened. */
export function useSaveAttribute() {
  const client = useQueryClient()
  return useChange({
    run: ({ of, fields }: { of: Pick<Attribute, 'id' | 'version'> | undefined; fields: NewAttribute }, intent) =>
      of
        ? call(attributesApi.update, { params: { id: of.id }, body: { ...fields, version: of.version }, ...intent })
        : call(attributesApi.create, { body: fields, ...intent }),
    onSuccess: () => invalidate(client),
  })
}

export function useRemoveAttribute() {
  const client = useQueryClient()
  return useChange({
    run: (id: string, intent) => call(attributesApi.remove, { params: { id }, ...intent }),
    onSuccess: () => invalidate(client),
  })
}

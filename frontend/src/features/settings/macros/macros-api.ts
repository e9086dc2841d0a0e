import { type Macro, macrosApi, type NewMacro } from '@parley/contracts/inbox/macros'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { choiceKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'

/** Saves a new macro, or changes one as it was when the form opened. */
export function useSaveMacro() {
  const client = useQueryClient()
  return useChange({
    run: ({ of, fields }: { of: Macro | undefined; fields: NewMacro }, intent) =>
      of
        ? call(macrosApi.update, { params: { id: of.id }, body: { ...fields, version: of.version }, ...intent })
        : call(macrosApi.create, { body: fields, ...intent }),
    onSuccess: () => client.invalidateQueries({ queryKey: choiceKeys.macros }),
  })
}

export function useRemoveMacro() {
  const client = useQueryClient()
  return useChange({
    run: (id: string, intent) => call(macrosApi.remove, { params: { id }, ...intent }),
    onSuccess: () => client.invalidateQueries({ queryKey: choiceKeys.macros }),
  })
}

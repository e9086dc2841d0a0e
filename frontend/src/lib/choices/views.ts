import { type NewView, type ShownByView, type View, type ViewScreen, viewsApi } from '@parley/contracts/inbox/views'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { useChange } from '../use-change.ts'
import { choiceStaleMs } from './stale.ts'

/** Query of a view of this list. */
export type QueryOf<S extends ViewScreen> = Extract<ShownByView, { screen: S }>['query']

/** The saved views of a list: everybody's, then one's own. */
export const viewChoices = (screen: ViewScreen) =>
  queryOptions({
    queryKey: choiceKeys.views(screen),
    queryFn: async ({ signal }) => (await call(viewsApi.list, { query: { screen }, signal })).items,
    staleTime: choiceStaleMs,
  })

/** Saves a view, or changes the one that is named as it was when the form opened. */
export function useSaveView() {
  const client = useQueryClient()
  return useChange({
    run: ({ of, view }: { of: Pick<View, 'id' | 'version'> | undefined; view: NewView }, intent) =>
      of
        ? call(viewsApi.update, { params: { id: of.id }, body: { ...view, version: of.version }, ...intent })
        : call(viewsApi.create, { body: view, ...intent }),
    onSuccess: ({ screen }) => client.invalidateQueries({ queryKey: choiceKeys.views(screen) }),
  })
}

export function useRemoveView() {
  const client = useQueryClient()
  return useChange({
    run: ({ id }: View, intent) => call(viewsApi.remove, { params: { id }, ...intent }),
    onSuccess: (_, { screen }) => client.invalidateQueries({ queryKey: choiceKeys.views(screen) }),
  })
}

import { type Tag, tagsApi } from '@parley/contracts/contacts/tags'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { choiceKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'

export function useColourTag() {
  const client = useQueryClient()
  return useChange({
    run: (body: { readonly tag: string; readonly colour: Tag['colour'] }, intent) =>
      call(tagsApi.colour, { body, ...intent }),
    onSuccess: () => client.invalidateQueries({ queryKey: choiceKeys.tags }),
  })
}

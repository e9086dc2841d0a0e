import type { PageOf } from '@parley/contracts/records'
import { type Template, type TemplateContent, type TemplateQuery, templatesApi } from '@parley/contracts/templates'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/api.ts'
import { choiceKeys, templateKeys } from '../../lib/query-keys.ts'
import { offerUndo } from '../../lib/undo.ts'
import { toast } from '../../ui/toast.ts'

export const templateListOptions = (query: TemplateQuery) =>
  queryOptions({
    queryKey: templateKeys.list(query),
    queryFn: ({ signal }) => call(templatesApi.list, { query, signal }),
    placeholderData: keepPreviousData,
  })

export const templateSummaryOptions = () =>
  queryOptions({
    queryKey: templateKeys.summary,
    queryFn: ({ signal }) => call(templatesApi.summary, { signal }),
  })

export const templateOptions = (id: string) =>
  queryOptions({
    queryKey: templateKeys.one(id),
    queryFn: ({ signal }) => call(templatesApi.read, { params: { id }, signal }),
  })

/** What went wrong with a change, in words for a person. */
export const problemText = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.body.message) || fallback

/** Sends a new template, or the change of one, for review. */
export function useSaveTemplate(of: Pick<Template, 'id' | 'version'> | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (content: TemplateContent) =>
      of
        ? call(templatesApi.update, { params: { id: of.id }, body: { ...content, version: of.version } })
        : call(templatesApi.create, { body: content }),
    onSuccess: (template) => client.setQueryData(templateKeys.one(template.id), template),
    onSettled: () =>
      Promise.all(
        [templateKeys.lists, templateKeys.summary, choiceKeys.templates].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

/** Deletes at once, with Undo; the card comes back if the server refuses. */
export function useDeleteTemplate() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Template) => call(templatesApi.remove, { params: { id } }),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey: templateKeys.lists })
      const before = client.getQueriesData<PageOf<Template>>({ queryKey: templateKeys.lists })
      client.setQueriesData<PageOf<Template>>(
        { queryKey: templateKeys.lists },
        (list) =>
          list && { ...list, items: list.items.filter((item) => item.id !== id), total: Math.max(0, list.total - 1) },
      )
      return { before }
    },
    onError: (error, _, context) => {
      for (const [key, list] of context?.before ?? []) client.setQueryData(key, list)
      toast.error(problemText(error, 'The template could not be deleted. Try again.'))
    },
    onSuccess: (_, { id, name }) => {
      client.removeQueries({ queryKey: templateKeys.one(id) })
      offerUndo(`${name} deleted`, async () => {
        await call(templatesApi.restore, { params: { id } })
        await client.invalidateQueries({ queryKey: templateKeys.all })
      })
    },
    onSettled: () => client.invalidateQueries({ queryKey: templateKeys.all }),
  })
}

import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { templateVersionsApi } from '@parley/contracts/templates/template-versions'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { templateKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { toast } from '../../ui/toast.ts'
import { receiveTemplate, refreshTemplates } from './api.ts'

/** Saves what is written without sending it for review: as a new template, or for one that there is. */
export function useSaveDraft(of: Pick<Template, 'id' | 'version'> | undefined) {
  const client = useQueryClient()
  return useChange({
    run: ({ accountId, ...content }: TemplateContent & { accountId: string | undefined }, intent) =>
      of
        ? call(templateVersionsApi.saveDraft, {
            params: { id: of.id },
            body: { ...content, version: of.version },
            ...intent,
          })
        : call(templatesApi.create, {
            body: { ...content, ...(accountId && { accountId }), review: false },
            ...intent,
          }),
    onSuccess: (template) => receiveTemplate(client, template),
    onSettled: () => refreshTemplates(client),
  })
}

/** Changes the draft of a template: an earlier version becomes it, or it goes. */
export function useChangeDraft(failed: string) {
  const client = useQueryClient()
  return useChange({
    run: ({ id, version, from }: Pick<Template, 'id' | 'version'> & { from?: number }, intent) =>
      from === undefined
        ? call(templateVersionsApi.discardDraft, { params: { id }, query: { version }, ...intent })
        : call(templateVersionsApi.restore, {
            params: { id, number: from },
            body: { version },
            ...intent,
          }),
    onSuccess: (template) => receiveTemplate(client, template),
    onError: (error, { id }) => {
      void client.invalidateQueries({ queryKey: templateKeys.one(id) })
      const isStale = error instanceof ApiError && error.body.code === 'stale_version'
      toast.error(isStale ? 'Someone else has changed the template. Review it and try again.' : explain(error, failed))
    },
  })
}

import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { type PriceChange, type TemplateUsage, templateCheckApi } from '@parley/contracts/templates/template-checks'
import { type TemplateQuery, type TemplateSync, templatesApi } from '@parley/contracts/templates/template-endpoints'
import type { TemplateFinding, WarningRule } from '@parley/contracts/templates/template-findings'
import { templateVersionsApi } from '@parley/contracts/templates/template-versions'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { choiceKeys, templateKeys } from '../../lib/query-keys.ts'
import { createRecords } from '../../lib/records.ts'
import { offerUndo } from '../../lib/undo.ts'
import { useChange } from '../../lib/use-change.ts'
import { useRecordChange } from '../../lib/use-record-change.ts'
import { toast } from '../../ui/toast.ts'

/** Templates in the query cache: answers, changes under way and events meet here. */
const templateRecords = createRecords<Template>(templateKeys)

export const templateListOptions = (query: TemplateQuery) =>
  queryOptions({
    queryKey: templateKeys.list(query),
    queryFn: async ({ signal, client }) =>
      templateRecords.readPage(client, await call(templatesApi.list, { query, signal })),
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
    queryFn: async ({ signal, client }) => {
      const template = await call(templatesApi.read, { params: { id }, signal })
      return templateRecords.read(client, template) ?? template
    },
  })

/** The campaigns that are to send a template. */
export const templateUsesOptions = (id: string) =>
  queryOptions({
    queryKey: templateKeys.uses(id),
    queryFn: async ({ signal }) => (await call(templatesApi.uses, { params: { id }, signal })).campaigns,
  })

/** Query of a template's texts that were sent for review, the latest first. */
export const templateVersionsOptions = (id: string) =>
  queryOptions({
    queryKey: templateKeys.versions(id),
    queryFn: async ({ signal }) => (await call(templateVersionsApi.list, { params: { id }, signal })).items,
  })

/** Reads the last comparison of the templates with those at WhatsApp. `templates.synced` refetches it. */
export const templateSyncOptions = () =>
  queryOptions({
    queryKey: templateKeys.sync,
    queryFn: ({ signal }): Promise<TemplateSync> => call(templatesApi.syncState, { query: { limit: 1 }, signal }),
    // An end of which nothing was told is found out as well.
    refetchInterval: ({ state }) => (state.data?.running ? 10_000 : false),
  })

type Written = z.infer<typeof templateCheckApi.lint.body>

/** Server's findings on a template as it is written. */
export interface Judged {
  readonly findings: TemplateFinding[]
  /** Price change under another category, where WhatsApp is likely to give it one. */
  readonly priceChange?: PriceChange | null | undefined
}

/** Reads the errors and doubts about a template as it is written, for its account at WhatsApp. */
export const templateLintOptions = (written: Written) =>
  queryOptions({
    queryKey: templateKeys.lint(written),
    queryFn: ({ signal }): Promise<Judged> => call(templateCheckApi.lint, { body: written, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  })

/** The campaigns in which something would break if a template said this. */
export const templateBreaksOptions = (id: string, content: Written['content']) =>
  queryOptions({
    queryKey: templateKeys.usage(id, content),
    queryFn: async ({ signal }): Promise<TemplateUsage[]> =>
      (await call(templateCheckApi.usage, { params: { id }, body: { content }, signal })).uses.filter(
        ({ breaks }) => breaks.length > 0,
      ),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })

/** The campaigns that are to send a template, drafts too. What is shown before it is deleted is read again each time. */
export const templateUsageOptions = (id: string) =>
  queryOptions({
    queryKey: templateKeys.usage(id, 'deleted'),
    queryFn: async ({ signal }): Promise<TemplateUsage[]> =>
      (await call(templateCheckApi.usage, { params: { id }, body: { deleted: true }, signal })).uses,
    staleTime: 0,
    gcTime: 0,
  })

/** Reads what customers see of links whose visits are counted. It is a setting of the installation. */
export const templateTrackingOptions = () =>
  queryOptions({
    queryKey: templateKeys.tracking,
    queryFn: ({ signal }) => call(templatesApi.tracking, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Has the templates compared with those at WhatsApp. */
export function useSyncTemplates() {
  const client = useQueryClient()
  return useChange({
    run: (_: undefined, intent) => call(templatesApi.sync, intent),
    onSuccess: (sync) => client.setQueryData(templateKeys.sync, sync),
    onError: (error) => toast.error(explain(error, 'The sync could not be started. Try again.')),
  })
}

/** An answer with a template. */
export function receiveTemplate(client: QueryClient, template: Template): void {
  templateRecords.receive(client, template)
  client.setQueryData(templateKeys.one(template.id), template)
}

/** Has the lists of templates, and what counts them, read again. */
export const refreshTemplates = (client: QueryClient) =>
  Promise.all(
    [templateKeys.lists, templateKeys.summary, choiceKeys.templates].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

/** Sends a new template, or the change of one, for review. */
export function useSaveTemplate(of: Pick<Template, 'id' | 'version'> | undefined) {
  const client = useQueryClient()
  return useChange({
    run: (
      { accountId, ...content }: TemplateContent & { accountId: string | undefined; accepted: WarningRule[] },
      intent,
    ) =>
      of
        ? call(templatesApi.update, { params: { id: of.id }, body: { ...content, version: of.version }, ...intent })
        : call(templatesApi.create, { body: { ...content, ...(accountId && { accountId }) }, ...intent }),
    onSuccess: (template) => receiveTemplate(client, template),
    onSettled: () => refreshTemplates(client),
  })
}

/** Brings a deleted template back, whose name is wanted again. */
export function useRestoreTemplate() {
  const client = useQueryClient()
  return useChange({
    run: (id: string, intent) => call(templatesApi.restore, { params: { id }, ...intent }),
    onSuccess: (template) => {
      templateRecords.receive(client, template)
      return refreshTemplates(client)
    },
    onError: (error) => toast.error(explain(error, 'The template could not be restored. Try again.')),
  })
}

/** Gives a template its file, place or product, or each of its cards a file. */
export function useSetHeader() {
  const client = useQueryClient()
  return useChange({
    run: ({ id, ...body }: { id: string } & EndpointRequest<typeof templateCheckApi.header>['body'], intent) =>
      call(templateCheckApi.header, { params: { id }, body, ...intent }),
    onSuccess: (template) => {
      receiveTemplate(client, template)
      return refreshTemplates(client)
    },
  })
}

/** Deletes what cannot come back: at WhatsApp as well, or a draft, which is nowhere else. */
export const useDeleteForGood = ({ id, name, status }: Pick<Template, 'id' | 'name' | 'status'>) =>
  useRecordChange<Template, void, unknown>({
    records: templateRecords,
    id,
    patch: () => () => undefined,
    run: (_, intent) => call(templatesApi.remove, { params: { id }, query: { atWhatsApp: 'true' }, ...intent }),
    failed:
      status === 'draft'
        ? 'The draft could not be deleted. Try again.'
        : 'The template could not be deleted at WhatsApp. Try again.',
    onSuccess: (_output, _input, client) => {
      client.removeQueries({ queryKey: templateKeys.one(id) })
      toast.success(status === 'draft' ? `${name} was deleted` : `${name} was deleted at WhatsApp`)
    },
    invalidates: [templateKeys.lists, templateKeys.summary, choiceKeys.templates],
  })

/** Deletes at once, with Undo; the card comes back if the server refuses. */
export const useDeleteTemplate = ({ id, name }: Pick<Template, 'id' | 'name'>) =>
  useRecordChange<Template, void, unknown>({
    records: templateRecords,
    id,
    patch: () => () => undefined,
    run: (_, intent) => call(templatesApi.remove, { params: { id }, query: {}, ...intent }),
    failed: 'The template could not be deleted. Try again.',
    onSuccess: (_output, _input, client) => {
      client.removeQueries({ queryKey: templateKeys.one(id) })
      offerUndo(`${name} deleted`, async () => {
        templateRecords.receive(client, await call(templatesApi.restore, { params: { id } }))
        await refreshTemplates(client)
      })
    },
    invalidates: [templateKeys.lists, templateKeys.summary, choiceKeys.templates],
  })

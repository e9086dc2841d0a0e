import { type Bot, botsApi } from '@parley/contracts/bots'
import type { EndpointRequest } from '@parley/contracts/endpoint'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { explain } from '../../lib/explain.ts'
import { offerUndo } from '../../lib/undo.ts'
import { toast } from '../../ui/toast.ts'
import { call } from './sample.ts'

export interface BotQuery {
  readonly q?: string | undefined
  readonly status?: Bot['status'] | undefined
}
type BotPage = Awaited<ReturnType<typeof readPage>>
type BotPatch = Omit<EndpointRequest<typeof botsApi.update>['body'], 'version'>

const botKeys = {
  all: ['bots'] as const,
  lists: ['bots', 'list'] as const,
  list: (query: BotQuery) => ['bots', 'list', query] as const,
  one: (id: string) => ['bots', 'one', id] as const,
}
/** More than this are found by searching. */
const mostListed = 100
const readPage = (query: BotQuery, signal: AbortSignal) =>
  call(botsApi.list, { query: { ...query, limit: mostListed }, signal })

/** Bots by name. */
export const botListOptions = (query: BotQuery) =>
  queryOptions({
    queryKey: botKeys.list(query),
    queryFn: ({ signal }) => readPage(query, signal),
    networkMode: 'always',
    placeholderData: (before) => before,
  })

/** One bot with its flow. */
export const botOptions = (id: string) =>
  queryOptions({
    queryKey: botKeys.one(id),
    queryFn: ({ signal }) => call(botsApi.read, { params: { id }, signal }),
    networkMode: 'always',
  })

/** Puts a bot into every list and view that shows it. */
function show(client: QueryClient, bot: Bot): void {
  client.setQueryData<Bot>(botKeys.one(bot.id), (known) => known && bot)
  client.setQueriesData<BotPage>(
    { queryKey: botKeys.lists },
    (page) => page && { ...page, items: page.items.map((item) => (item.id === bot.id ? bot : item)) },
  )
}

/** Pauses or starts a bot: it is shown at once, and taken back if it fails. Invalidates the lists. */
export function useSetBotStatus() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ bot, status }: { bot: Bot; status: Bot['status'] }) =>
      call(botsApi.update, { params: { id: bot.id }, body: { status, version: bot.version } }),
    onMutate: async ({ bot, status }) => {
      await client.cancelQueries({ queryKey: botKeys.all })
      show(client, { ...bot, status })
    },
    onSuccess: (bot) => show(client, bot),
    onError: (error, { bot }) => {
      show(client, bot)
      toast.error(explain(error, `${bot.name} could not be changed.`))
    },
    onSettled: () => client.invalidateQueries({ queryKey: botKeys.lists }),
  })
}

/** Renames a bot or saves its flow. Invalidates the lists. */
export function useUpdateBot() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ bot, patch }: { bot: Bot; patch: BotPatch }) =>
      call(botsApi.update, { params: { id: bot.id }, body: { ...patch, version: bot.version } }),
    onSuccess: (bot) => show(client, bot),
    onError: (error, { bot }) => toast.error(explain(error, `${bot.name} could not be saved.`)),
    onSettled: () => client.invalidateQueries({ queryKey: botKeys.lists }),
  })
}

/** Creates a paused bot. Invalidates the lists. */
export function useCreateBot() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: EndpointRequest<typeof botsApi.create>['body']) => call(botsApi.create, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: botKeys.lists }),
  })
}

/** Deletes a bot, and offers to bring it back. Invalidates the lists. */
export function useRemoveBot() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: botKeys.lists })
  return useMutation({
    mutationFn: (bot: Bot) => call(botsApi.remove, { params: { id: bot.id } }),
    onMutate: async (bot) => {
      await client.cancelQueries({ queryKey: botKeys.lists })
      client.setQueriesData<BotPage>(
        { queryKey: botKeys.lists },
        (page) => page && { ...page, items: page.items.filter(({ id }) => id !== bot.id), total: page.total - 1 },
      )
    },
    onSuccess: (_, bot) => {
      client.removeQueries({ queryKey: botKeys.one(bot.id) })
      offerUndo(`${bot.name} deleted.`, async () => {
        await call(botsApi.restore, { params: { id: bot.id } })
        await refresh()
      })
    },
    onError: (error, bot) => toast.error(explain(error, `${bot.name} could not be deleted.`)),
    onSettled: refresh,
  })
}

import { automationSettingsApi, type BotSettings } from '@parley/contracts/automation/bot-settings'
import { botsApi, type FlowCheck, type runningChoices } from '@parley/contracts/automation/bots'
import { type Attention, type Run, runsApi } from '@parley/contracts/automation/run-endpoints'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { flowQueries } from '../../flow-builder/flow-queries.ts'
import { call } from '../../lib/api.ts'
import { botKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { offerUndo } from '../../lib/undo.ts'
import { useChange } from '../../lib/use-change.ts'

/** Bots by name. */
export const bots = flowQueries(botKeys, {
  list: (query, signal) => call(botsApi.list, { query, signal }),
  read: (id, signal) => call(botsApi.read, { params: { id }, ...(signal && { signal }) }),
  create: (body, intent) => call(botsApi.create, { body, ...intent }),
  update: (id, body, intent) => call(botsApi.update, { params: { id }, body, ...intent }),
  setStatus: (id, status, intent) =>
    status === 'active'
      ? call(botsApi.start, { params: { id }, ...intent })
      : call(botsApi.pause, { params: { id }, body: {}, ...intent }),
  remove: (id, intent) => call(botsApi.remove, { params: { id }, ...intent }),
  restore: (id) => call(botsApi.restore, { params: { id } }),
  stale: (error) => staleRecord(error, botsApi.update),
})

export type RunningChoice = (typeof runningChoices)[number]

/** Problems of the saved draft, and the sessions that publishing would touch. Read again each time that it is asked. */
export const checkOptions = (id: string) =>
  queryOptions({
    queryKey: botKeys.check(id),
    queryFn: ({ signal }): Promise<FlowCheck> => call(botsApi.check, { params: { id }, body: {}, signal }),
    gcTime: 0,
    staleTime: 0,
  })

export interface Publication {
  readonly running: RunningChoice
  readonly accept: string[]
  readonly note?: string | undefined
  readonly start?: boolean | undefined
  readonly version: number
}

/** Publishes the saved draft as a new version. */
export function usePublish(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: Publication, intent) => call(botsApi.publish, { params: { id }, body, ...intent }),
    onSuccess: ({ bot }) => bots.receive(client, bot),
    onSettled: () => client.invalidateQueries({ queryKey: botKeys.allRuns }),
  })
}

/** Pauses a bot whose sessions are to end. */
export function useEndSessions(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (_: undefined, intent) =>
      call(botsApi.pause, { params: { id }, body: { running: 'end' as const }, ...intent }),
    onSuccess: (bot) => bots.receive(client, bot),
    onSettled: () => client.invalidateQueries({ queryKey: botKeys.allRuns }),
  })
}

/** Creates a paused copy of a bot, its settings included. */
export function useDuplicate(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (name: string, intent) => call(botsApi.duplicate, { params: { id }, body: { name }, ...intent }),
    onSuccess: (bot) => bots.receive(client, bot),
  })
}

/** Saves numbers and settings of a bot. */
export function useSaveSettings(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: { numberIds: string[]; settings: BotSettings; version: number }, intent) =>
      call(botsApi.update, { params: { id }, body, ...intent }),
    onSuccess: (bot) => bots.receive(client, bot),
  })
}

/** The flow of one published version. */
export const versionOptions = (id: string, number: number) =>
  queryOptions({
    queryKey: botKeys.version(id, number),
    queryFn: ({ signal }) => call(botsApi.version, { params: { id, number }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export interface RunsQuery {
  readonly show?: 'live' | 'ended' | undefined
  readonly cursor?: string | undefined
}
const runsPageSize = 25

/** Sessions of a bot, the newest first. */
export const runsOptions = (id: string, query: RunsQuery) =>
  queryOptions({
    queryKey: botKeys.runs(id, query),
    queryFn: ({ signal }) => call(runsApi.ofBot, { params: { id }, query: { ...query, limit: runsPageSize }, signal }),
    placeholderData: (before) => before,
  })

/** One session with its steps. */
export const runOptions = (id: string) =>
  queryOptions({
    queryKey: botKeys.run(id),
    queryFn: ({ signal }) => call(runsApi.read, { params: { id }, signal }),
  })

/** Ends a session, or lets a held one continue. */
export function useChangeRun(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (change: 'cancel' | 'release', intent): Promise<Run> => call(runsApi[change], { params: { id }, ...intent }),
    onSettled: () =>
      Promise.all(
        [botKeys.allRuns, botKeys.run(id), botKeys.lists].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  })
}

/** Query of the open entries of the attention list. */
export const attentionOptions = () =>
  queryOptions({
    queryKey: botKeys.attention,
    queryFn: ({ signal }) => call(runsApi.attention, { query: { state: 'open', limit: 50 }, signal }),
  })

/** Takes an entry off the attention list, and offers to put it back. */
export function useDismiss() {
  const client = useQueryClient()
  const read = () =>
    Promise.all([botKeys.attention, botKeys.lists].map((queryKey) => client.invalidateQueries({ queryKey })))
  return useChange({
    run: ({ id }: Pick<Attention, 'id'>, intent) =>
      call(runsApi.dismiss, { body: { ids: [id], state: 'dismissed' as const }, ...intent }),
    onSuccess: (_changed, { id }) =>
      offerUndo('Taken off the list', async () => {
        await call(runsApi.dismiss, { body: { ids: [id], state: 'open' as const } })
        await read()
      }),
    onSettled: read,
  })
}

/** Hand-over words and texts of all bots. */
export const automationSettingsOptions = () =>
  queryOptions({
    queryKey: botKeys.settings,
    queryFn: ({ signal }) => call(automationSettingsApi.read, { signal }),
  })

type SettingsChange = EndpointRequest<typeof automationSettingsApi.update>['body']

export function useSaveAutomationSettings() {
  const client = useQueryClient()
  return useChange({
    run: (body: SettingsChange, intent) => call(automationSettingsApi.update, { body, ...intent }),
    onSuccess: (settings) => client.setQueryData(botKeys.settings, settings),
    onError: (error) => {
      const current = staleRecord(error, automationSettingsApi.update)
      if (current) client.setQueryData(botKeys.settings, current)
    },
  })
}

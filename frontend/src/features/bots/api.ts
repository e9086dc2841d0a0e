import { automationSettingsApi, type BotSettings } from '@parley/contracts/automation/bot-settings'
import { botsApi } from '@parley/contracts/automation/bots'
import { runsApi } from '@parley/contracts/automation/run-endpoints'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { flowQueries } from '../../flow-builder/flow-queries.ts'
import { flowReplays } from '../../flow-builder/flow-replays.ts'
import { flowRuns } from '../../flow-builder/flow-runs.ts'
import { flowTests } from '../../flow-builder/flow-tests.ts'
import { call } from '../../lib/api.ts'
import { botKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'
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

/** Versions and sessions of bots. */
export const sessions = flowRuns('bot', botKeys, {
  calls: {
    check: (id, number, signal) => call(botsApi.check, { params: { id }, body: { number }, signal }),
    publish: async (id, body, intent) => {
      const { bot, ...rest } = await call(botsApi.publish, { params: { id }, body, ...intent })
      return { flow: bot, ...rest }
    },
    restoreVersion: async (id, from, body, intent) => {
      const { bot, ...rest } = await call(botsApi.restoreVersion, { params: { id, number: from }, body, ...intent })
      return { flow: bot, ...rest }
    },
    versions: (id, cursor, signal) => call(botsApi.versions, { params: { id }, query: { limit: 25, cursor }, signal }),
    endRuns: (id, intent) => call(botsApi.pause, { params: { id }, body: { running: 'end' }, ...intent }),
    duplicate: (id, name, intent) => call(botsApi.duplicate, { params: { id }, body: { name }, ...intent }),
    version: (id, number, signal) => call(botsApi.version, { params: { id, number }, signal }),
    counts: (id, query, signal) => call(botsApi.counts, { params: { id }, query, signal }),
    runs: (id, query, signal) => call(runsApi.ofBot, { params: { id }, query, signal }),
    attention: (cursor, signal) => call(runsApi.attention, { query: { state: 'open', limit: 50, cursor }, signal }),
  },
  receive: bots.receive,
  receiveStale: bots.receiveStale,
})

/** Saves numbers and settings of a bot. */
export function useSaveSettings(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: { numberIds: string[]; settings: BotSettings; version: number }, intent) =>
      call(botsApi.update, { params: { id }, body, ...intent }),
    onSuccess: (bot) => bots.receive(client, bot),
    onError: (error) => bots.receiveStale(client, error),
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

/** Recorded tests of bots. */
export const botTests = flowTests(botKeys, {
  list: (id, signal) => call(botsApi.tests, { params: { id }, signal }),
  create: (id, body, intent) => call(botsApi.createTest, { params: { id }, body, ...intent }),
  accept: (id, { id: testId, version }, draft, intent) =>
    call(botsApi.updateTest, { params: { id, testId }, body: { accept: true, draft, version }, ...intent }),
  remove: (id, testId, intent) => call(botsApi.removeTest, { params: { id, testId }, ...intent }),
  run: (id, draft) => call(botsApi.runTests, { params: { id }, body: { draft } }),
})

/** Ended sessions, played once more against a draft. */
export const botReplays = flowReplays('bot', botKeys, (id, body, signal) =>
  call(botsApi.replay, { params: { id }, body, signal }),
)

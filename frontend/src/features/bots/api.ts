import { botsApi } from '@parley/contracts/automation/bots'
import { flowQueries } from '../../flow-builder/flow-queries.ts'
import { call } from '../../lib/api.ts'
import { botKeys } from '../../lib/query-keys.ts'
import { staleRecord } from '../../lib/stale-record.ts'

/** Bots by name. */
export const bots = flowQueries(botKeys, {
  list: (query, signal) => call(botsApi.list, { query, signal }),
  read: (id, signal) => call(botsApi.read, { params: { id }, ...(signal && { signal }) }),
  create: (body, intent) => call(botsApi.create, { body, ...intent }),
  update: (id, body, intent) => call(botsApi.update, { params: { id }, body, ...intent }),
  remove: (id, intent) => call(botsApi.remove, { params: { id }, ...intent }),
  restore: (id) => call(botsApi.restore, { params: { id } }),
  stale: (error) => staleRecord(error, botsApi.update),
})

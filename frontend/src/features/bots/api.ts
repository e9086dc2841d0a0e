import { botsApi } from '@parley/contracts/bots'
import { flowQueries } from '../../flow-builder/flow-queries.ts'
import { call } from '../../lib/api.ts'
import { botKeys } from '../../lib/query-keys.ts'

/** Bots by name. */
export const bots = flowQueries(botKeys, {
  list: (query, signal) => call(botsApi.list, { query, signal }),
  read: (id, signal) => call(botsApi.read, { params: { id }, signal }),
  create: (body) => call(botsApi.create, { body }),
  update: (id, body) => call(botsApi.update, { params: { id }, body }),
  remove: (id) => call(botsApi.remove, { params: { id } }),
  restore: (id) => call(botsApi.restore, { params: { id } }),
})

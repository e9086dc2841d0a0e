import { defineEndpoint, type Endpoint, isAudited } from '@parley/contracts/core/endpoint'
import { endpointsOf } from '@parley/processes/endpoints'
import { auditEntries, createAuditLog } from '@parley/service-kit/data/audit-log'
import { newId } from '@parley/service-kit/data/plain'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { mount } from '@parley/service-kit/http/mount'
import { startBareApp } from '@parley/service-kit/testing/bare-app'
import { asUser } from '@parley/service-kit/testing/shop-app'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { Schema } from 'mongoose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'

const { bff: _served, identity: _internal, ...ofServices } = endpointsOf
const endpoints = Object.values(ofServices)
  .flat()
  .filter(({ access }) => access === 'session' || access === 'session+bearer' || access === 'key')

/** Changes without an entry: the record itself tells what was done, the call changes nothing, or it is about the caller alone. */
const exceptions = [
  'bots.check',
  'bots.replay',
  'bots.runTests',
  'campaigns.explain',
  'campaigns.preview',
  'conversations.cancel',
  'conversations.note',
  'conversations.open',
  'conversations.presence',
  'conversations.react',
  'conversations.retry',
  'conversations.send',
  'conversations.sendTemplate',
  'conversations.update',
  'media.upload',
  'messages.send',
  'notificationSettings.update',
  'notifications.markRead',
  'profile.sync',
  'templates.lint',
  'templates.usage',
  'views.create',
  'views.remove',
  'views.update',
  'workflows.check',
  'workflows.replay',
  'workflows.runTests',
]

/** Reads that take data out of Parley. */
const exports = [
  'audit.download',
  'billing.entries',
  'campaigns.recipientsDownload',
  'consent.download',
  'contactJobs.download',
  'imports.download',
  'workspaceExports.download',
]

test('every call that is no GET leaves an entry, but for those of the list', () => {
  const without = endpoints.filter((endpoint) => endpoint.method !== 'GET' && !isAudited(endpoint))
  expect(without.map(({ operation }) => operation).sort()).toEqual(exceptions)
})

test('of the GETs only exports leave one', () => {
  const read = endpoints.filter((endpoint) => endpoint.method === 'GET' && isAudited(endpoint))
  expect(read.map(({ operation }) => operation).sort()).toEqual(exports)
  const files = endpoints.filter(({ responseType, method }) => method === 'GET' && responseType === 'stream')
  const media = ['media.read', 'media.thumbnail']
  expect(files.map(({ operation }) => operation).sort()).toEqual([...exports, ...media].sort())
})

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
})
afterAll(() => database.drop())

interface Thing {
  readonly id: string
  readonly name: string
}
const thingSchema = new Schema({ workspaceId: Schema.Types.ObjectId, name: String }, { versionKey: false })

/** The endpoint as it is declared, but for its inputs and answer. */
const bare = ({ operation, method, path, status }: Endpoint) =>
  defineEndpoint({
    operation,
    method,
    path,
    status: status === 200 ? 204 : status,
    access: 'session',
    permission: 'member',
    summary: '',
    errors: [],
  })

const audited = endpoints.filter((endpoint) => endpoint.method !== 'GET' && isAudited(endpoint))

test.each([
  ['in a transaction', 'transaction'],
  ['by a single write', 'single'],
  ['by a write that nothing else knows', 'raw'],
] as const)('a change %s has exactly one entry, whichever endpoint it is', async (_name, kind) => {
  const things = workspaceCollection<Thing>({
    connection: database.connection,
    name: `things-${kind}`,
    schema: thingSchema,
  })
  const app = await startBareApp({
    audit: createAuditLog(database.connection),
    modules: (scope) => {
      for (const endpoint of audited)
        mount(scope, bare(endpoint), async ({ ctx }) => {
          const scoped = things(ctx)
          if (kind === 'single') await scoped.create({ name: endpoint.operation })
          else if (kind === 'raw') await database.connection.collection('raw').insertOne({ name: endpoint.operation })
          else
            await inTransaction(database.connection, async ({ session }) => {
              await scoped.create({ name: endpoint.operation }, { session })
              await scoped.updateMany({}, { $set: { name: 'later' } }, { session })
            })
        })
    },
  })
  try {
    for (const endpoint of audited) {
      await auditEntries(database.connection).deleteMany({})
      const path = endpoint.path.replace(/:\w+/g, newId())
      const { status } = await fetch(app.url + path, { method: endpoint.method, headers: asUser })
      const entries = await auditEntries(database.connection).find({ action: endpoint.operation }).toArray()
      expect([endpoint.operation, status < 300, entries.length]).toEqual([endpoint.operation, true, 1])
      expect(await auditEntries(database.connection).countDocuments()).toBe(1)
    }
  } finally {
    await app.app.close()
  }
})

const rename = defineEndpoint({
  operation: 'things.rename',
  method: 'PATCH',
  path: '/things/:id',
  access: 'session',
  permission: 'member',
  summary: 'Renames a thing.',
  params: z.object({ id: z.string() }),
  body: z.object({
    name: z.string(),
    colour: z.enum(['red', 'blue']).optional(),
    count: z.number().optional(),
    secret: z.string().optional(),
  }),
  status: 204,
  errors: [],
})

async function startThings(work: () => Promise<void>) {
  const app = await startBareApp({
    audit: createAuditLog(database.connection),
    modules: (scope) => mount(scope, rename, work),
  })
  const call = (body: object) =>
    fetch(`${app.url}/things/${newId()}`, {
      method: 'PATCH',
      headers: { ...asUser, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const entries = () => auditEntries(database.connection).find({ action: 'things.rename' }).toArray()
  return { call, entries, stop: () => app.app.close() }
}

test('a change that fails leaves neither itself nor an entry', async () => {
  await auditEntries(database.connection).deleteMany({})
  const things = workspaceCollection<Thing>({
    connection: database.connection,
    name: 'things-failing',
    schema: thingSchema,
  })
  const scope = { workspaceId: newId() }
  const { call, entries, stop } = await startThings(() =>
    inTransaction(database.connection, async ({ session }) => {
      await things(scope).create({ name: 'half' }, { session })
      throw new Error('broken off')
    }),
  )
  expect((await call({ name: 'x' })).status).toBe(500)
  expect([await entries(), await things(scope).find()]).toEqual([[], []])
  await stop()
})

test('free text is named, and told nowhere', async () => {
  await auditEntries(database.connection).deleteMany({})
  const { call, entries, stop } = await startThings(async () => undefined)
  await call({ name: 'Ann of Main Street', colour: 'red', count: 3, secret: 'hunter2' })
  const [entry] = await entries()
  expect(entry?.changes).toEqual([
    { field: 'name' },
    { field: 'colour', to: 'red' },
    { field: 'count', to: 3 },
    { field: 'secret' },
  ])
  expect(JSON.stringify(entry)).not.toMatch(/Ann of|hunter2/)
  await stop()
})

test.each([
  ['by a single write', false],
  ['in a transaction', true],
])(
  'a value that is replaced %s is told as it was; free text and what the contract does not list is not',
  async (_name, isInTransaction) => {
    const { connection } = database
    await auditEntries(connection).deleteMany({})
    const things = workspaceCollection<Thing & { colour: string; count: number }>({
      connection,
      name: isInTransaction ? 'things-before-in-transaction' : 'things-before',
      schema: new Schema(
        { workspaceId: Schema.Types.ObjectId, name: String, colour: String, count: Number },
        { versionKey: false },
      ),
    })
    const scope = { workspaceId: newId() }
    const { id } = await things(scope).create({ name: 'Main Street', colour: 'blue', count: 7 })
    const to = { name: 'Side Street', colour: 'red', count: 8 } as const
    const { call, entries, stop } = await startThings(async () => {
      if (!isInTransaction) return void (await things(scope).findOneAndUpdate({ _id: id }, { $set: to }))
      await inTransaction(connection, ({ session }) => things(scope).updateOne({ _id: id }, { $set: to }, { session }))
    })
    await call(to)
    await call({ ...to, colour: 'blue' })
    const [first, second] = await entries()
    expect(first?.changes).toEqual([
      { field: 'name' },
      { field: 'colour', from: 'blue', to: 'red' },
      { field: 'count', from: 7, to: 8 },
    ])
    // Nothing was written of what this call says.
    expect(second?.changes).toContainEqual({ field: 'colour', to: 'blue' })
    await stop()
  },
)

import { Writable } from 'node:stream'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { parseAnswer } from '@parley/contracts/core/parse-answer'
import { pageOf } from '@parley/contracts/core/records'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { asUser, verifyShopToken } from '../testing/shop-app.ts'
import { mount } from './mount.ts'
import { createServiceApp } from './service-app.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const orderSchema = z.object({ id: z.string(), name: z.string().min(1).max(5) })
const pageSchema = pageOf(orderSchema)
const pageOfOrders = (names: readonly unknown[]) => ({
  items: names.map((name, at) => ({ id: `order-${at}`, name, secret: 'x' })),
  nextCursor: null,
  previousCursor: null,
  total: names.length,
})
const endpoint = defineEndpoint({
  operation: 'shop.list',
  method: 'GET',
  path: '/orders',
  access: 'session',
  permission: 'member',
  summary: 'Orders.',
  status: 200,
  response: pageSchema,
  errors: [],
})

test('a list goes without the one record that cannot be told, says so, counts it, and names it to operators', async () => {
  const lines: string[] = []
  const destination = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) })
  const app = await createServiceApp({
    name: 'shop',
    logger: createLogger({ name: 'shop', level: 'info', destination }),
    probes: [],
    metrics: createMetrics('shop'),
    verifyToken: verifyShopToken,
    modules: (scope) => mount(scope, endpoint, () => pageOfOrders(['tea', 'a customer', 'milk']) as never),
  })
  closing.push(() => app.close())
  const figure = async () =>
    /^records_left_out_total\{.*operation="shop.list".*\} (\d+)$/m.exec((await app.inject('/metrics')).body)
  expect((await figure())?.[1]).toBe('0')
  const answer = await app.inject({ url: '/orders', headers: asUser })
  expect(answer.json()).toEqual({
    items: [
      { id: 'order-0', name: 'tea' },
      { id: 'order-2', name: 'milk' },
    ],
    nextCursor: null,
    previousCursor: null,
    total: 3,
    leftOut: 1,
  })
  expect((await figure())?.[1]).toBe('1')
  const said = lines.map((line) => JSON.parse(line)).find(({ records }) => records !== undefined)
  expect(said).toMatchObject({ operation: 'shop.list', count: 1, records: [{ id: 'order-1' }] })
  // Contents of a record must not be in the log.
  expect(lines.join()).not.toContain('a customer')
})

test('a list of which all can be told says nothing', () => {
  expect(parseAnswer(pageSchema, pageOfOrders(['tea'])).body).not.toHaveProperty('leftOut')
})

test('records that are left out on the way add up', () => {
  const { body } = parseAnswer(pageSchema, { ...pageOfOrders(['tea', 'a customer', '']), leftOut: 3 })
  expect(body).toMatchObject({ items: [{ name: 'tea' }], leftOut: 5 })
})

test.each([
  ['one record', orderSchema, { id: 'order-1', name: '' }],
  ['a list that is no list', pageSchema, { items: 'none' }],
  ['a list that is wrong beside its records', pageSchema, { ...pageOfOrders(['tea']), total: -1 }],
  ['both', pageSchema, { ...pageOfOrders(['']), total: -1 }],
])('%s that cannot be told is a fault of the service', (_what, schema, result) => {
  expect(() => parseAnswer(schema, result)).toThrow()
})

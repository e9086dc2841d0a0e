import { readdirSync } from 'node:fs'
import { describePermission, type Permission, permissions, roles } from '@parley/contracts/account/permissions'
import { type Endpoint, isForKeys } from '@parley/contracts/core/endpoint'
import { errorBodySchema } from '@parley/contracts/core/errors'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { errors } from '../core/errors.ts'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { userClaims } from '../testing/shop-app.ts'
import { mount } from './mount.ts'
import { createServiceApp } from './service-app.ts'

/** Copy of the permissions table by hand: a change of a role's permissions is made here too, and seen in review. */
const table: Record<Permission, string> = {
  'conversations:read': 'owner admin agent viewer',
  'conversations:write': 'owner admin agent',
  'conversations:assign': 'owner admin agent',
  'conversations:export': 'owner admin',
  'contacts:read': 'owner admin agent viewer',
  'contacts:write': 'owner admin agent',
  'contacts:delete': 'owner admin',
  'contacts:import': 'owner admin',
  'contacts:export': 'owner admin',
  'contacts:erase': 'owner admin',
  'segments:read': 'owner admin agent viewer',
  'segments:write': 'owner admin',
  'templates:read': 'owner admin agent viewer',
  'templates:write': 'owner admin',
  'campaigns:read': 'owner admin agent viewer',
  'campaigns:write': 'owner admin agent',
  'campaigns:send': 'owner admin',
  'bots:read': 'owner admin agent viewer',
  'bots:write': 'owner admin',
  'bots:publish': 'owner admin',
  'workflows:read': 'owner admin agent viewer',
  'workflows:write': 'owner admin',
  'workflows:publish': 'owner admin',
  'numbers:read': 'owner admin agent viewer',
  'numbers:write': 'owner admin',
  'numbers:secret': 'owner admin',
  'webhooks:read': 'owner admin viewer',
  'webhooks:write': 'owner admin',
  'webhooks:secret': 'owner admin',
  'webhooks:replay': 'owner admin',
  'api_keys:read': 'owner admin',
  'api_keys:write': 'owner admin',
  'events:read': 'owner admin',
  'approvals:read': 'owner admin',
  'approvals:decide': 'owner admin',
  'approvals:write': 'owner',
  'audit:read': 'owner admin',
  'audit:export': 'owner admin',
  'analytics:read': 'owner admin agent viewer',
  'analytics:export': 'owner admin',
  'members:read': 'owner admin agent viewer',
  'members:invite': 'owner admin',
  'members:change': 'owner admin',
  'members:remove': 'owner admin',
  'workspace:read': 'owner admin agent viewer',
  'workspace:write': 'owner admin',
  'workspace:export': 'owner',
  'workspace:transfer': 'owner',
  'workspace:delete': 'owner',
  'audit:retain': 'owner',
  'billing:read': 'owner admin',
  'billing:change': 'owner',
}

const endpoints = await endpointsOfContracts()
const guarded = endpoints.filter((endpoint) => endpoint.access !== 'public')
let app: FastifyInstance
const actionSchema = z.object({ action: z.object({ kind: z.string() }) })
/** Endpoints with an action that needs more permissions, each at a path of its own, where the action is all of the body. */
const actionEndpoints = guarded.flatMap(({ params: _, ...endpoint }): Endpoint[] =>
  endpoint.actionPermissions ? [{ ...endpoint, path: `/actions/${endpoint.operation}`, body: actionSchema }] : [],
)

beforeAll(async () => {
  app = await createServiceApp({
    name: 'everything',
    logger: createLogger({ name: 'everything', level: 'silent' }),
    metrics: createMetrics('everything'),
    verifyToken: async (token) => {
      const [kind = '', name = ''] = token.split('.')
      if (kind === 'svc')
        return { kind: 'service', claims: { sub: `svc:${name}`, iss: 'parley-bff', aud: 'x', exp: 0 } }
      if (kind === 'key') {
        const scopes = permissions.filter((permission) => permission.replace(':', '-') !== name)
        return { kind, claims: { sub: 'key:k1', wid: userClaims.wid, iss: 'parley-bff', aud: 'x', exp: 0, scopes } }
      }
      const role = roles.find((one) => one === name)
      if (!role) throw errors.unauthenticated()
      return { kind: 'user', claims: { ...userClaims, role } }
    },
    probes: [],
    modules: (scope) => {
      for (const endpoint of endpoints) mount(scope, endpoint, () => Promise.reject(errors.notFound()))
      for (const endpoint of actionEndpoints) mount(scope, endpoint, () => Promise.reject(errors.notFound()))
    },
  })
})
afterAll(() => app.close())

/** Calls with an invalid body: a call that is not refused for its caller is refused for that, or later. */
const call = ({ method, path }: Endpoint, token: string) =>
  app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: path.replaceAll(/:\w+/g, 'x'),
    headers: { authorization: `Bearer ${token}`, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(method !== 'GET' && { payload: '{"' }),
  })

const allowed = (endpoint: Endpoint, role: string): boolean => {
  if (endpoint.access === 'public' || endpoint.access === 'service') return endpoint.access === 'public'
  const { permission } = endpoint
  return permission === 'self' || permission === 'member' || table[permission].split(' ').includes(role)
}

test('the contracts were found', () => {
  expect(guarded.length).toBeGreaterThan(50)
})

test.each(guarded.map((endpoint) => [endpoint.operation, endpoint] as const))('%s by role', async (_name, endpoint) => {
  for (const role of roles) {
    const answer = await call(endpoint, `user.${role}.x`)
    const isForPeople = endpoint.access === 'session' || endpoint.access === 'session+bearer'
    const status = !isForPeople ? 401 : allowed(endpoint, role) ? 'passed' : 403
    expect([role, [401, 403].includes(answer.statusCode) ? answer.statusCode : 'passed']).toEqual([role, status])
  }
  for (const name of ['bff', 'messaging', '']) {
    const answer = await call(endpoint, `svc.${name || '-'}.x`)
    const named = endpoint.access === 'service' && endpoint.callers.includes(name)
    const status = endpoint.access !== 'service' ? 401 : named ? 'passed' : 403
    expect([name, [401, 403].includes(answer.statusCode) ? answer.statusCode : 'passed']).toEqual([name, status])
  }
})

test.each(guarded.map((endpoint) => [endpoint.operation, endpoint] as const))('%s by key', async (_name, endpoint) => {
  const passes = async (missing: string) => {
    const { statusCode } = await call(endpoint, `key.${missing.replace(':', '-')}.x`)
    return [401, 403].includes(statusCode) ? statusCode : 'passed'
  }
  const needed = 'permission' in endpoint ? endpoint.permission : 'member'
  const isScope = permissions.some((permission) => permission === needed)
  expect(await passes('-')).toBe(isForKeys(endpoint) ? 'passed' : 401)
  expect(await passes(needed)).toBe(!isForKeys(endpoint) ? 401 : isScope ? 403 : 'passed')
})

test('nothing that only a person may decide is open to keys', () => {
  const never = /^(members|billing|settings|profile|approvals|apiKeys|credentials|auth)\./
  const open = guarded.filter(isForKeys)
  expect(open.flatMap(({ operation }) => (never.test(operation) ? operation : []))).toEqual([])
  expect(open.filter(({ path, access }) => !path.startsWith(access === 'key' ? '/v1/' : '/api/'))).toEqual([])
  expect(open.filter((endpoint) => 'permission' in endpoint && endpoint.permission === 'self')).toEqual([])
})

test('there are actions that need more than their endpoint', () => {
  expect(actionEndpoints.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['contacts.bulk']))
})

test.each(
  actionEndpoints.flatMap((endpoint) =>
    Object.entries(endpoint.actionPermissions ?? {}).map(([kind, needed]) => ({ endpoint, kind, needed })),
  ),
)('$endpoint.operation to $kind by role', async ({ endpoint, kind, needed }) => {
  for (const role of roles) {
    const send = (action: string) =>
      app.inject({
        method: 'POST',
        url: endpoint.path,
        headers: { authorization: `Bearer user.${role}.x` },
        payload: { action: { kind: action } },
      })
    const may = allowed(endpoint, role) && table[needed].split(' ').includes(role)
    expect([role, (await send(kind)).statusCode]).toEqual([role, may ? 404 : 403])
    expect([role, (await send('another')).statusCode]).toEqual([role, allowed(endpoint, role) ? 404 : 403])
  }
})

test('a refusal names the permission in words and whom to ask', async () => {
  const create = guarded.find(({ operation }) => operation === 'contacts.create')
  if (!create) throw new Error('contacts.create is not in the contracts')
  const answer = await call(create, 'user.viewer.x')
  expect(errorBodySchema.parse(answer.json())).toMatchObject({
    code: 'forbidden',
    message: 'You may not change contacts. Ask an owner or admin of the workspace.',
  })
})

test('every permission has words', () => {
  for (const permission of permissions) expect(describePermission(permission)).toMatch(/^[a-z][a-z ]+ [a-zA-Z ]+$/)
  expect(describePermission('numbers:secret')).toBe('see the secrets of WhatsApp numbers')
})

async function endpointsOfContracts(): Promise<Endpoint[]> {
  const folder = `${import.meta.dirname}/../../../contracts/src`
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const modules: object[] = await Promise.all(files.map((name) => import(`${folder}/${name}`)))
  const apis = modules.flatMap((module) => Object.entries(module)).filter(([name]) => /Api$/.test(name))
  return apis.flatMap(([, api]) => Object.values(api as Record<string, Endpoint>))
}

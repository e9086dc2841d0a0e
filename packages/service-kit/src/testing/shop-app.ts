import { Writable } from 'node:stream'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import type { UserTokenClaims } from '@parley/contracts/core/internal-token'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errors } from '../core/errors.ts'
import type { InternalCaller } from '../core/internal-token.ts'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { mount } from '../http/mount.ts'
import type { Probe } from '../http/operations.ts'
import { createServiceApp } from '../http/service-app.ts'

export const userId = 'a'.repeat(24)
export const workspaceId = 'b'.repeat(24)
export const userClaims: UserTokenClaims = {
  sub: userId,
  wid: workspaceId,
  role: 'owner',
  iss: 'parley-bff',
  aud: 'shop',
  exp: 0,
  email: 'ann@example.com',
  email_verified: true,
  provider: 'password',
}
const callers: Record<string, InternalCaller> = {
  'user.user.user': { kind: 'user', claims: userClaims },
  'svc.svc.svc': { kind: 'service', claims: { sub: 'svc:bff', iss: 'parley-bff', aud: 'shop', exp: 0 } },
}
export const asUser = { authorization: 'Bearer user.user.user' }
export const asService = { authorization: 'Bearer svc.svc.svc' }
export const json = { 'content-type': 'application/json' }

const orderSchema = z.object({ id: z.string(), total: z.number() })
export const shopApi = {
  find: defineEndpoint({
    operation: 'shop.find',
    method: 'GET',
    path: '/orders/:id',
    access: 'session',
    permission: 'member',
    summary: 'One order.',
    params: z.object({ id: z.string().regex(/^\d+$/, 'That is no order number.') }),
    query: z.object({ page: z.coerce.number().int().default(1) }),
    status: 200,
    response: orderSchema,
    errors: ['not_found'],
  }),
  create: defineEndpoint({
    operation: 'shop.create',
    method: 'POST',
    path: '/orders',
    access: 'session',
    permission: 'member',
    summary: 'A new order.',
    body: z.object({ item: z.string().min(1, 'Choose an item.'), count: z.number().max(9) }),
    bodyLimitBytes: 2048,
    status: 201,
    response: orderSchema,
    errors: ['validation_failed'],
  }),
  touch: defineEndpoint({
    operation: 'shop.touch',
    method: 'POST',
    path: '/touch',
    access: 'service',
    callers: ['bff'],
    summary: 'No body either way.',
    status: 204,
    errors: [],
  }),
  ping: defineEndpoint({
    operation: 'shop.ping',
    method: 'GET',
    path: '/ping',
    access: 'public',
    summary: 'Anyone.',
    status: 200,
    response: z.object({ pong: z.boolean() }),
    errors: [],
  }),
}

/** Verifies the two tokens of {@link asUser} and {@link asService}. */
export const verifyShopToken = async (token: string): Promise<InternalCaller> => {
  const caller = callers[token]
  if (!caller) throw errors.unauthenticated()
  return caller
}

/** An imaginary service on the common base, and what it logs. Its four endpoints show one kind of call each. */
export async function startShop(options: { probes?: Probe[]; find?: () => unknown } = {}) {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const app = await createServiceApp({
    name: 'shop',
    logger: createLogger({ name: 'shop', level: 'info', destination }),
    metrics: createMetrics('shop'),
    verifyToken: verifyShopToken,
    probes: options.probes ?? [],
    modules: (scope) => {
      mount(scope, shopApi.find, async ({ params, query, ctx }) => {
        options.find?.()
        return { id: `${params.id}/${query.page}/${ctx.userId}/${ctx.workspaceId}`, total: 1, secret: 'x' }
      })
      mount(scope, shopApi.create, ({ body }) => ({ id: body.item, total: body.count }))
      mount(scope, shopApi.touch, () => undefined)
      mount(scope, shopApi.ping, () => ({ pong: true }))
    },
  })
  return { app, lines }
}

/** The port that a listening app has taken. */
export function portOf(app: FastifyInstance): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the app does not listen')
  return address.port
}

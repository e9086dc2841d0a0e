import type { Endpoint } from '@parley/contracts/core/endpoint'
import { jwksPath } from '@parley/contracts/core/internal-token'
import { isList } from '@parley/contracts/core/parse-answer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../core/errors.ts'
import type { InternalTokenSigner } from '../core/internal-token.ts'
import type { Logger } from '../core/logger.ts'
import type { Metrics } from '../core/metrics.ts'
import { describeEndpoints } from '../core/openapi.ts'
import type { AuditLog } from '../data/audit-log.ts'
import type { MoveGate } from '../data/move-gate.ts'
import type { TranslateError } from './answer-errors.ts'
import { auditRefusals } from './audited-call.ts'
import { guardWithInternalToken, type VerifyToken } from './authority.ts'
import { createBaseApp } from './base-app.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { type Probe, serveHealth, serveMetrics } from './operations.ts'
import type { LimitWorkspace } from './workspace-limit.ts'

/**
 * The HTTP server of a service: what every server has, operations routes, and a scope for the modules in which every route needs
 * an internal token.
 * @param options.modules adds the routes to the guarded scope.
 * @param options.idempotency keeps the answers of calls that carry an `Idempotency-Key`; without it the key is not looked at.
 * @param options.audit keeps an entry of each change, and of what was refused; without it there are none.
 * @param options.limitWorkspace is asked before the body of a request of a member or a key is read.
 * @param options.gate lets calls in as early, also those of other processes, and refuses those for a workspace that moves or has moved.
 * @param options.isOpen while it says false every feature answers 503: what they need has not been reached yet.
 */
export async function createServiceApp(options: {
  name: string
  logger: Logger
  metrics: Metrics
  verifyToken: VerifyToken
  probes: readonly Probe[]
  modules: (scope: FastifyInstance) => unknown
  translateError?: TranslateError
  idempotency?: IdempotencyStore
  audit?: AuditLog
  limitWorkspace?: LimitWorkspace
  gate?: Pick<MoveGate, 'enter'>
  isOpen?: () => boolean
  /** Keys of the signer, where the service calls others. */
  publicKeys?: InternalTokenSigner['publicKeys']
}): Promise<FastifyInstance> {
  const { app, refuseOtherMethods } = createBaseApp(options)
  const countLeftOut = options.metrics.counter<string>({
    name: 'records_left_out_total',
    help: 'Records that a list went without because their contract cannot tell them',
    label: 'operation',
    values: [],
  })
  app.decorate('countLeftOut', countLeftOut)
  // Exported from the start, so that the first one is already a rise.
  app.addHook('onRoute', ({ config }) => {
    if (isList(config?.endpoint?.response)) countLeftOut(config?.endpoint?.operation ?? '', 0)
  })
  app.decorate('idempotency', options.idempotency ?? null)
  app.decorate('audit', options.audit ?? null)
  if (options.audit) auditRefusals(app, options.audit)
  serveOperations(app, options)
  await app.register(async (scope) => {
    scope.addHook('onRequest', async () => {
      if (options.isOpen && !options.isOpen()) throw errors.serviceUnavailable('still waiting for a part')
    })
    guardWithInternalToken(scope, options.verifyToken, options.gate && countCalls(scope, options.gate))
    scope.addHook('onRequest', async ({ caller }) => {
      if (caller?.kind === 'user' || caller?.kind === 'key') await options.limitWorkspace?.(caller.claims.wid)
    })
    await options.modules(scope)
  })
  refuseOtherMethods()
  return app
}

interface Operations {
  readonly name: string
  readonly metrics: Metrics
  readonly probes: readonly Probe[]
  /** Public halves of the keys with which this process signs its calls to others; absent where it makes none. */
  readonly publicKeys?: InternalTokenSigner['publicKeys'] | undefined
}

/**
 * Serves what an operator or another process asks of a process: its public keys, `/healthz`, `/readyz`, `/metrics` and its API as
 * OpenAPI. Never routed from outside.
 */
function serveOperations(app: FastifyInstance, { name, metrics, probes, publicKeys }: Operations): void {
  serveHealth(app, probes)
  serveMetrics(app, metrics)
  const endpoints: Endpoint[] = []
  app.addHook('onRoute', ({ config }) => {
    if (config?.endpoint && !endpoints.includes(config.endpoint)) endpoints.push(config.endpoint)
  })

  if (publicKeys)
    app.get(jwksPath, { config: { operation: 'ops.keys' } }, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=60').send(publicKeys),
    )

  app.get('/openapi.json', { config: { operation: 'ops.openapi' } }, async () => describeEndpoints(name, endpoints))
}

/**
 * Counts the calls for each workspace, so that one which moves is known to have none: from the first line of a call to the end of its handler,
 * or of a stream, also where the caller has left. Wraps the handlers of the scope's routes.
 * @returns what lets a call in. It throws `service_unavailable` where the workspace moves or has moved.
 */
function countCalls(scope: FastifyInstance, gate: Pick<MoveGate, 'enter'>) {
  const leaves = new WeakMap<FastifyRequest, () => void>()
  const handled = new WeakSet<FastifyRequest>()
  const leave = (request: FastifyRequest): void => {
    leaves.get(request)?.()
    leaves.delete(request)
  }
  scope.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = async function (request, reply) {
      handled.add(request)
      try {
        return await handler.call(this, request, reply)
      } finally {
        leave(request)
      }
    }
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const workspaceId = request.caller?.claims.wid
    if (!workspaceId) return
    leaves.set(request, await gate.enter({ workspaceId }))
    // Refused by a later check, or gone before its body had come.
    const end = () => {
      if (!handled.has(request)) leave(request)
    }
    if (reply.raw.destroyed) end()
    else reply.raw.once('close', end)
  }
}

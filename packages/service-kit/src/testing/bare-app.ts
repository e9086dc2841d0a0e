import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import type { AuditLog } from '../data/audit-log.ts'
import type { IdempotencyStore } from '../http/idempotency.ts'
import { createServiceApp } from '../http/service-app.ts'
import type { LimitWorkspace } from '../http/workspace-limit.ts'
import { portOf, verifyShopToken } from './shop-app.ts'

/** A service that listens on a free port, with the routes of one test; it knows the two tokens of the shop. */
export async function startBareApp(options: {
  modules: (scope: FastifyInstance) => unknown
  idempotency?: IdempotencyStore
  audit?: AuditLog
  limitWorkspace?: LimitWorkspace
}) {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const app = await createServiceApp({
    name: 'bare',
    logger: createLogger({ name: 'bare', level: 'info', destination }),
    metrics: createMetrics('bare'),
    verifyToken: verifyShopToken,
    probes: [],
    ...options,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, lines, url: `http://127.0.0.1:${portOf(app)}` }
}

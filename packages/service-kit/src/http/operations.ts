import type { Endpoint } from '@parley/contracts/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../core/metrics.ts'
import { describeEndpoints } from './openapi.ts'

/** One thing that a process depends on. */
export interface Probe {
  /** Name in the body of `/readyz`. */
  readonly name: string
  /** Without a required part the process cannot serve; an optional one is reported only. */
  readonly required: boolean
  /** True when the part answers. A rejection and 2 s of silence count as ill. */
  readonly check: () => Promise<boolean>
}

const probeTimeoutMs = 2000

/** What an operator asks of a process: `/healthz`, `/readyz`, `/metrics` and its API as OpenAPI. Never routed from outside. */
export function serveOperations(
  app: FastifyInstance,
  { name, metrics, probes }: { name: string; metrics: Metrics; probes: readonly Probe[] },
): void {
  const endpoints: Endpoint[] = []
  let draining = false
  app.addHook('onRoute', ({ config }) => {
    if (config?.endpoint && !endpoints.includes(config.endpoint)) endpoints.push(config.endpoint)
  })
  app.addHook('preClose', async () => {
    draining = true
  })

  app.get('/healthz', { config: { operation: 'ops.health' } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { config: { operation: 'ops.ready' } }, async (_request, reply) => {
    const results = await Promise.all(probes.map(async (probe) => ({ probe, ok: await answers(probe) })))
    const ready = !draining && results.every(({ probe, ok }) => ok || !probe.required)
    return reply.code(ready ? 200 : 503).send({
      status: draining ? 'draining' : ready ? 'ready' : 'not ready',
      parts: Object.fromEntries(
        results.map(({ probe, ok }) => [probe.name, ok ? 'ok' : probe.required ? 'down' : 'degraded']),
      ),
    })
  })

  app.get('/metrics', { config: { operation: 'ops.metrics' } }, async (_request, reply) => {
    const { contentType, text } = await metrics.render()
    return reply.type(contentType).send(text)
  })

  app.get('/openapi.json', { config: { operation: 'ops.openapi' } }, async () => describeEndpoints(name, endpoints))
}

async function answers(probe: Probe): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, probeTimeoutMs, false)
  })
  const answer = probe.check().catch(() => false)
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { describeRetry, type Retry } from '../core/keep-reaching.ts'
import type { Metrics } from '../core/metrics.ts'
import { shareAnswer } from '../core/share-answer.ts'

/** One component that a process depends on. */
export interface Probe {
  /** Name in the body of `/readyz`. */
  readonly name: string
  /** True where the process cannot serve without the part; an optional one is reported only. */
  readonly required: boolean
  /**
   * True when the part answers, `read-only` when it takes no writes: then reads continue, and this process stays ready. A
   * rejection and 2 s of silence count as ill.
   */
  readonly check: () => Promise<boolean | 'read-only'>
  /** Returns the failed attempts, and the time of the next one, while the component was never reached. */
  readonly retry?: () => Retry | undefined
}

const probeTimeoutMs = 2000
/** Milliseconds for which an answer is reused: every check asks all components, and anybody may cause one at a public port. */
const readinessKeptMs = 250

/** Serves the metrics of a process whose other port is open to the public. */
export function createManagementApp({ logger, metrics }: { logger: FastifyBaseLogger; metrics: Metrics }) {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  serveMetrics(app, metrics)
  return app
}

/** Serves `/metrics`. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', { config: { operation: 'ops.metrics' } }, async (_request, reply) => {
    const { contentType, text } = await metrics.render()
    return reply.type(contentType).send(text)
  })
}

/** Serves `/healthz` and `/readyz` alone, on the port that people reach. */
export function serveHealth(app: FastifyInstance, probes: readonly Probe[]): void {
  let draining = false
  const look = shareAnswer(
    () => Promise.all(probes.map(async (probe) => ({ probe, ok: await answers(probe) }))),
    () => readinessKeptMs,
  )
  app.addHook('preClose', async () => {
    draining = true
  })

  app.get('/healthz', { config: { operation: 'ops.health' } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { config: { operation: 'ops.ready' } }, async (_request, reply) => {
    const results = await look()
    const ready = !draining && results.every(({ probe, ok }) => ok || !probe.required)
    return reply.code(ready ? 200 : 503).send({
      status: draining ? 'draining' : ready ? 'ready' : 'not ready',
      parts: Object.fromEntries(results.map(({ probe, ok }) => [probe.name, wordFor(probe, ok)])),
      ...retriesOf(results.flatMap(({ probe, ok }) => (ok ? [] : probe))),
    })
  })
}

function wordFor({ required }: Probe, ok: boolean | 'read-only'): string {
  if (ok === 'read-only') return ok
  if (ok) return 'ok'
  return required ? 'down' : 'degraded'
}

function retriesOf(probes: readonly Probe[]) {
  const retries = probes.flatMap(({ name, retry }) => {
    const waiting = retry?.()
    return waiting ? [[name, describeRetry(waiting)] as const] : []
  })
  return retries.length > 0 ? { retries: Object.fromEntries(retries) } : {}
}

async function answers(probe: Probe): Promise<boolean | 'read-only'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, probeTimeoutMs, false)
  })
  const answer = probe.check().catch(() => false)
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

import { Histogram } from 'prom-client'
import type { Metrics } from './metrics.ts'

type Fetch = typeof globalThis.fetch

/**
 * A `fetch` that measures calls to the identity provider: `call` is an OpenID Connect endpoint (`token`, `userinfo`, `logout`) or
 * `admin`, `outcome` is `answered` (a refusal too: that is an answer) or `failed` (5xx, no connection, no answer in time).
 */
export function measureProvider(metrics: Metrics, fetch: Fetch = globalThis.fetch): Fetch {
  const durations = new Histogram({
    name: 'identity_provider_request_duration_seconds',
    help: 'Duration of calls to the identity provider by endpoint and outcome',
    labelNames: ['call', 'outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4],
    registers: [metrics.registry],
  })
  return async (target, init) => {
    const startedAt = performance.now()
    const note = (outcome: 'answered' | 'failed') =>
      durations.observe({ call: callOf(target), outcome }, (performance.now() - startedAt) / 1000)
    try {
      const response = await fetch(target, init)
      note(response.status < 500 ? 'answered' : 'failed')
      return response
    } catch (error) {
      note('failed')
      throw error
    }
  }
}

const endpoints = ['token', 'userinfo', 'logout'] as const
const callOf = (target: Parameters<Fetch>[0]): string => {
  const path = new URL(target instanceof Request ? target.url : target).pathname
  return endpoints.find((name) => path.endsWith(`/protocol/openid-connect/${name}`)) ?? 'admin'
}

import type { Metrics } from '@parley/service-kit/core/metrics'
import { GrantRefused, type ProviderClient } from '../provider/provider-client.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Outcomes of a sign-in: `signed_in`, or the error that the page receives for a failed one (RFC 6749 section 4.1.2.1, and two of
 * our own).
 */
const codeFlowOutcomes = [
  'signed_in',
  'access_denied',
  'temporarily_unavailable',
  'server_error',
  'unauthorized_domain',
  'invalid_auth_event',
] as const
export type CodeFlowOutcome = (typeof codeFlowOutcomes)[number]

/** Counts how sessions begin, are renewed and end, around the parts that do it. What idles out in Redis is not seen here. */
export function createSessionMetrics(metrics: Metrics) {
  const started = metrics.counter({
    name: 'sessions_started_total',
    help: 'Sessions begun, by client: web is the code flow, password our own form',
    label: 'client',
    values: ['web', 'password'],
  })
  const ended = metrics.counter({
    name: 'sessions_ended_total',
    help: 'Sessions ended: signed_out here, refused a renewal by the provider, revoked from elsewhere',
    label: 'how',
    values: ['signed_out', 'refused', 'revoked'],
  })
  const refreshed = metrics.counter({
    name: 'session_refreshes_total',
    help: 'Renewals of tokens at the identity provider by outcome',
    label: 'outcome',
    values: ['renewed', 'refused', 'failed'],
  })
  const codeFlowEnded = metrics.counter({
    name: 'code_sign_ins_total',
    help: "Sign-ins by the provider's own pages that came back, by outcome; their answer is a redirect whatever it is",
    label: 'outcome',
    values: codeFlowOutcomes,
  })
  const cacheRead = metrics.counter({
    name: 'session_cache_reads_total',
    help: 'Reads of sessions in use, answered from memory (hit) or by Redis (miss)',
    label: 'result',
    values: ['hit', 'miss'],
  })

  return {
    codeFlowEnded: (outcome: CodeFlowOutcome) => codeFlowEnded(outcome),
    onCacheRead: (hit: boolean) => cacheRead(hit ? 'hit' : 'miss'),
    /** @param how what the store's `destroy` stands for, in whose hands it is. */
    countEnds: (store: SessionStore, how: 'signed_out' | 'refused'): SessionStore => ({
      ...store,
      create: async (hot, cold, visitor) => {
        const session = await store.create(hot, cold, visitor)
        started(hot.client)
        return session
      },
      destroy: async (session) => {
        await store.destroy(session)
        ended(how)
      },
      destroyListed: async (account, key) => {
        await store.destroyListed(account, key)
        ended('revoked')
      },
      destroyBy: async (target, options) => {
        const count = await store.destroyBy(target, options)
        ended('revoked', count)
        return count
      },
    }),
    countRefreshes: ({ refresh }: Pick<ProviderClient, 'refresh'>): Pick<ProviderClient, 'refresh'> => ({
      refresh: async (client, refreshToken) => {
        try {
          const tokens = await refresh(client, refreshToken)
          refreshed('renewed')
          return tokens
        } catch (error) {
          refreshed(error instanceof GrantRefused ? 'refused' : 'failed')
          throw error
        }
      },
    }),
  }
}

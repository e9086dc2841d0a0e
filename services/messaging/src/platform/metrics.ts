import { pauseReasons } from '@parley/contracts/campaigns/campaigns'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { EventKind } from '../whatsapp/webhook-item.ts'

const kinds: readonly EventKind[] = ['message', 'status', 'other']

/**
 * What came of a call that sends: `stopped` is a refusal after which less, or nothing, leaves from that number (token, permission,
 * payment); `faulty` is one that says that the request itself was wrong, or whose code is not known here.
 */
const sendResults = ['accepted', 'refused', 'stopped', 'faulty', 'not_sent', 'uncertain'] as const

/** `fetched` is a preview or a scanner; `lost` was opened and could not be stored. */
const visitResults = ['opened', 'fetched', 'unknown', 'limited', 'lost'] as const

/** What alerts and dashboards know of the pipeline. */
export const createMessagingMetrics = (metrics: Metrics) => ({
  countStored: metrics.counter({
    name: 'webhook_events_stored_total',
    help: 'Pieces of webhooks that ingest has stored',
    label: 'kind',
    values: kinds,
  }),
  countDead: metrics.counter({
    name: 'webhook_events_dead_total',
    help: 'Pieces of webhooks that failed three times and wait for an operator',
    label: 'kind',
    values: kinds,
  }),
  countSend: metrics.counter({
    name: 'sends_total',
    help: 'Calls of WhatsApp that send a message, by what came of them',
    label: 'result',
    values: sendResults,
  }),
  countVisit: metrics.counter({
    name: 'link_visits_total',
    help: 'Openings of counted links, by whether a person seems to have opened them, and what came of the others',
    label: 'result',
    values: visitResults,
  }),
  countDifference: metrics.counter({
    name: 'counts_differ_total',
    help: 'Stored counts that rows did not bear out when they were counted again, although nobody had said that they had changed',
    label: 'of',
    values: ['campaign'],
  }),
  countPause: metrics.counter({
    name: 'campaigns_paused_total',
    help: 'Campaigns that Parley itself has paused until a person resumes them',
    label: 'reason',
    values: pauseReasons,
  }),
})
export type MessagingMetrics = ReturnType<typeof createMessagingMetrics>

/** What waits for people, as alerts know it: every worker tells the same. */
export function measureWaiting(
  metrics: Metrics,
  {
    countStopped,
    countDead,
  }: {
    readonly countStopped: () => Promise<{ real: number; simulated: number }>
    readonly countDead: () => Promise<Record<EventKind, number>>
  },
): void {
  metrics.gauge({
    name: 'numbers_stopped',
    help: 'Numbers from which nothing leaves until people have seen to it, of WhatsApp and of its stand-in',
    label: 'kind',
    read: countStopped,
  })
  metrics.gauge({
    name: 'webhook_events_set_aside',
    help: 'Pieces of webhooks that failed three times and were neither replayed nor discarded',
    label: 'kind',
    read: countDead,
  })
}

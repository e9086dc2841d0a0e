import { pauseReasons } from '@parley/contracts/campaigns/campaigns'
import type { Metrics } from '@parley/service-kit/core/metrics'
import { type EventKind, eventKinds } from '../whatsapp/webhook-item.ts'

/**
 * Results of a call that sends: `stopped` is a refusal after which less, or nothing, leaves from that number (token, permission,
 * payment); `faulty` is a refusal of the request itself, or one whose code is not known here.
 */
const sendResults = ['accepted', 'refused', 'stopped', 'faulty', 'not_sent', 'uncertain'] as const

/** Bounds of objectives are among them: 5 and 10 s. */
const delayBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

/** Metrics of the pipeline for alerts and dashboards. */
export const createMessagingMetrics = (metrics: Metrics) => ({
  countDead: metrics.counter({
    name: 'webhook_events_dead_total',
    help: 'Pieces of webhooks that failed three times and wait for an operator',
    label: 'kind',
    values: eventKinds,
  }),
  countSend: metrics.counter({
    name: 'sends_total',
    help: 'Calls of WhatsApp that send a message, by what came of them',
    label: 'result',
    values: sendResults,
  }),
  countDifference: metrics.counter({
    name: 'counts_differ_total',
    help: 'Stored counts that rows did not bear out when they were counted again, although nobody had said that they had changed',
    label: 'of',
    values: ['campaign', 'analytics'],
  }),
  countWebhookAttempt: metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Calls of outbound webhooks, by result; `skipped` had nothing to send any more',
    label: 'result',
    values: ['delivered', 'failed', 'skipped'],
  }),
  countPause: metrics.counter({
    name: 'campaigns_paused_total',
    help: 'Campaigns that Parley itself has paused until a person resumes them',
    label: 'reason',
    values: pauseReasons,
  }),
  observeShown: metrics.histogram({
    name: 'inbound_message_delay_seconds',
    help: 'Time from the webhook of a message being stored to the message being in the inbox',
    buckets: delayBuckets,
  }),
  countFailedReply: metrics.counter({
    name: 'replies_failed_total',
    help: 'Replies that have failed, or are in doubt, through no fault of the reply or its customer: WhatsApp was not reached, or refused every try',
    label: 'reason',
    values: ['not_sent', 'refused', 'uncertain'],
  }),
  observeAccepted: metrics.histogram({
    name: 'reply_delay_seconds',
    help: 'Time from a reply being due to leave to WhatsApp having accepted it',
    buckets: delayBuckets,
  }),
})
export type MessagingMetrics = ReturnType<typeof createMessagingMetrics>

/** Measures what waits for people, and how far campaigns are: every worker reports the same figures. */
export function measureWaiting(
  metrics: Metrics,
  {
    numberRecords: { countStopped },
    rawEvents: { countDeadByKind: countDead },
    campaignRecords: { countSending },
  }: {
    readonly numberRecords: { readonly countStopped: () => Promise<{ real: number; simulated: number }> }
    readonly rawEvents: { readonly countDeadByKind: () => Promise<Record<EventKind, number>> }
    readonly campaignRecords: { readonly countSending: () => Promise<{ campaigns: number; rowsLeft: number }> }
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
  metrics.gauge({
    name: 'campaigns_sending',
    help: 'Campaigns that send now, and at most how many of their rows the outbox has not been given',
    label: 'kind',
    read: async () => {
      const { campaigns, rowsLeft } = await countSending()
      return { campaigns, rows_left: rowsLeft }
    },
  })
}

/** Measures how soon outbound webhooks are sent, and how many are late. @param countWaiting of webhooks whose work is due since before a time. */
export function measureWebhooks(
  metrics: Metrics,
  countWaiting: (lateBefore: Date) => Promise<{ failed: number; late: number }>,
) {
  metrics.gauge({
    name: 'webhooks_waiting',
    help: 'Outbound webhooks whose receiver fails, and those whose deliveries are due for over a minute',
    label: 'kind',
    read: () => countWaiting(new Date(Date.now() - lateAfterMs)),
  })
  const observe = metrics.histogram({
    name: 'webhook_first_attempt_seconds',
    help: 'Time from an event being there to be sent to its first attempt',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  })
  return { observeDelay: (ms: number) => observe(Math.max(0, ms) / 1000) }
}
const lateAfterMs = 60_000

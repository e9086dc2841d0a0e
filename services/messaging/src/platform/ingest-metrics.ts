import type { Metrics } from '@parley/service-kit/core/metrics'
import { eventKinds } from '../whatsapp/webhook-item.ts'

/** `fetched` is a preview or a scanner; `lost` was opened and could not be stored. */
const visitResults = ['opened', 'fetched', 'unknown', 'limited', 'lost'] as const

/** Metrics of what ingest receives, for alerts and dashboards. */
export const createIngestMetrics = (metrics: Metrics) => ({
  countStored: metrics.counter({
    name: 'webhook_events_stored_total',
    help: 'Pieces of webhooks that ingest has stored',
    label: 'kind',
    values: eventKinds,
  }),
  countVisit: metrics.counter({
    name: 'link_visits_total',
    help: 'Openings of counted links, by whether a person seems to have opened them, and what came of the others',
    label: 'result',
    values: visitResults,
  }),
})
export type IngestMetrics = ReturnType<typeof createIngestMetrics>

import type { Metrics } from '@parley/service-kit/core/metrics'

/** `refused`: messaging has refused an action of a session, for whatever reason. */
const attentionKinds = [
  'apply_failed',
  'failed',
  'loop',
  'unavailable',
  'late',
  'held',
  'inbox_full',
  'refused',
] as const
type AttentionKind = (typeof attentionKinds)[number]

const isKind = (code: string): code is AttentionKind => attentionKinds.some((kind) => kind === code)

/** Metrics of bots for alerts and dashboards. */
export function createAutomationMetrics(metrics: Metrics) {
  const count = metrics.counter({
    name: 'attention_raised_total',
    help: 'What bots could not do and people have to look at, by why',
    label: 'code',
    values: attentionKinds,
  })
  return { countAttention: (code: string) => count(isKind(code) ? code : 'refused') }
}

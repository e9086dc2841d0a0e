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
  'not_delivered',
  'limit_reached',
  'refused',
] as const
type AttentionKind = (typeof attentionKinds)[number]

/** Decisions of workflows on events of their kinds. */
const decisions = [
  'started',
  'held',
  'filter',
  'enrolled',
  'cool_down',
  'chain',
  'number',
  'gone',
  'limit_reached',
] as const
type DecisionKind = (typeof decisions)[number]

const isDecision = (result: string): result is DecisionKind => decisions.some((one) => one === result)

const isKind = (code: string): code is AttentionKind => attentionKinds.some((kind) => kind === code)

/** Metrics of bots for alerts and dashboards. */
export function createAutomationMetrics(metrics: Metrics) {
  const count = metrics.counter({
    name: 'attention_raised_total',
    help: 'What bots could not do and people have to look at, by why',
    label: 'code',
    values: attentionKinds,
  })
  const countDecision = metrics.counter({
    name: 'workflow_decisions_total',
    help: 'Events on which workflows start, by what came of them: runs, held ones, and reasons for which none began',
    label: 'result',
    values: decisions,
  })
  return {
    countAttention: (code: string) => count(isKind(code) ? code : 'refused'),
    countDecision: (result: string) => countDecision(isDecision(result) ? result : 'gone'),
  }
}

import type { Metrics } from '@parley/service-kit/core/metrics'
import { classifyError } from './error-classes.ts'
import { failureOf, type GraphAnswer } from './graph-answer.ts'
import { knownErrors, noPermission } from './known-errors.ts'

/** Called for each call of the Graph API. @param answer absent where there was none. */
export type ObserveGraph = (path: string, answer: GraphAnswer | undefined, ms: number) => void

/** Measures calls of the Graph API: how long they took, by what was called, and by WhatsApp's own code where it refused. */
export function measureGraph(metrics: Pick<Metrics, 'histogram'>): ObserveGraph {
  const observe = metrics.histogram({
    name: 'graph_request_duration_seconds',
    help: "Duration of calls of the Graph API, by what was called and by WhatsApp's code; `ok`, or `no_answer`",
    labels: ['call', 'code'],
    known: ['ok', 'no_answer', ...away].map((code) => ({ call: 'messages', code })),
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20],
  })
  return (path, answer, ms) => observe(ms / 1000, { call: callOf(path), code: codeOf(answer) })
}

/** Answers of an API that is away, or of what lies in front of it. */
const away = ['http_500', 'http_502', 'http_503', 'http_504']

/** Returns the edge that a path ends in, such as `messages`, without the ids before it; `node` for a node itself. */
const callOf = (path: string): string => /\/([a-z_]{1,40})(?:\?|$)/.exec(path)?.[1] ?? 'node'

/** Codes that are not known here are one: a label has few values. */
function codeOf(answer: GraphAnswer | undefined): string {
  if (!answer) return 'no_answer'
  if (answer.status < 300) return 'ok'
  const code = failureOf(answer).refusal?.code
  if (code === undefined) return `http_${answer.status}`
  return code in knownErrors || classifyError(code) === noPermission ? String(code) : 'unknown'
}

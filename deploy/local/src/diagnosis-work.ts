import type { Check } from './problem.ts'

interface Gauge {
  readonly name: string
  /** Highest value that needs nobody. */
  readonly max: number
  /** The same where it differs for some labels. */
  readonly maxOf?: Readonly<Record<string, number>>
  readonly verdict: 'note' | 'problem'
  readonly subject: string
  readonly finding: (value: number, label: string) => string
  /** Page in `deploy/docs/runbooks` that says what to do. */
  readonly runbook: string
}

/** Work that waits for people, as workers measure it for alerts. */
const gauges: readonly Gauge[] = [
  {
    name: 'pending_work_seconds',
    max: 60,
    // They leave as fast as their number may.
    maxOf: { campaigns: 900 },
    verdict: 'problem',
    subject: 'Backlog',
    finding: (seconds, of) => `the oldest work of ${of} waits for ${Math.round(seconds)} s`,
    runbook: 'ParleyWorkWaits',
  },
  {
    name: 'jobs_failed',
    max: 0,
    verdict: 'problem',
    subject: 'Failed jobs',
    finding: (count, kind) => `${count} of ${kind} in seven days`,
    runbook: 'ParleyWorkFailed',
  },
  {
    name: 'queue_dead_jobs',
    max: 0,
    verdict: 'problem',
    subject: 'Dead jobs',
    finding: (count, queue) => `${count} in the queue ${queue}`,
    runbook: 'ParleyWorkFailed',
  },
  {
    name: 'webhook_events_set_aside',
    max: 0,
    verdict: 'problem',
    subject: 'Set aside',
    finding: (count, kind) => `${count} pieces of WhatsApp's webhooks of kind ${kind}`,
    runbook: 'ParleyDeadLettersKept',
  },
  {
    name: 'numbers_stopped',
    max: 0,
    verdict: 'note',
    subject: 'Numbers',
    finding: (count, kind) =>
      `nothing leaves from ${count} of ${kind === 'real' ? 'WhatsApp' : 'the stand-in of WhatsApp'}`,
    runbook: 'ParleyNumberStopped',
  },
  {
    name: 'webhooks_waiting',
    max: 0,
    verdict: 'note',
    subject: 'Webhooks',
    finding: (count, kind) => (kind === 'late' ? `${count} are sent late` : `the receivers of ${count} fail`),
    runbook: 'ParleyDeliveriesFail',
  },
]

/**
 * Looks for work that waits for people.
 * @param texts metrics of each process, as Prometheus reads them. All workers of a service report the same.
 */
export function judgeWork(texts: readonly string[]): Check[] {
  const checks = gauges.flatMap((gauge) =>
    [...highest(gauge.name, texts)].flatMap(([label, value]): Check[] => {
      if (value <= (gauge.maxOf?.[label] ?? gauge.max)) return []
      const { verdict, subject, finding, runbook } = gauge
      const remedy = `deploy/docs/runbooks/${runbook}.md says what to do.`
      return [{ verdict, subject, finding: finding(value, label), remedy }]
    }),
  )
  return checks.length > 0 ? checks : [{ verdict: 'ok', subject: 'Work', finding: 'nothing failed, nothing waits' }]
}

/** Values of a gauge by its own label; of several processes the highest. */
function highest(name: string, texts: readonly string[]): Map<string, number> {
  const values = new Map<string, number>()
  for (const [, label = '', value] of texts
    .join('\n')
    .matchAll(new RegExp(String.raw`^${name}\{\w+="([^"]*)".*\} (\S+)$`, 'gm')))
    values.set(label, Math.max(values.get(label) ?? 0, Number(value)))
  return values
}

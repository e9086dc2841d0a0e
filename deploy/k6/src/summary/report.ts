import {
  durationSeconds,
  failureKinds,
  journeysMetric,
  metricNames,
  type Operation,
  operations,
  type ShapeName,
  shapes,
  slotName,
  slots,
} from '../shapes.ts'

interface Metric {
  readonly values: Readonly<Record<string, number>>
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>
}

/** What k6 hands to `handleSummary`, as far as it is used. */
export interface SummaryData {
  readonly metrics: Readonly<Record<string, Metric>>
}

interface OperationFigures {
  readonly name: Operation
  /** How often it succeeded or failed; refusals by the rate limiter stand apart. */
  readonly count: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly failed: number
  /** 0 to 1. */
  readonly failedRate: number
  /** Answered 429. */
  readonly limited: number
  /** Each limit and whether it held: `p(95)<1500`. */
  readonly limits: readonly { readonly rule: string; readonly ok: boolean }[]
}

/** A stretch of the run. */
interface Slot {
  readonly fromSeconds: number
  readonly perSecond: number
  /** Milliseconds, over all operations; `undefined` where nothing succeeded. */
  readonly p95: number | undefined
  readonly failedRate: number
}

export interface Report {
  readonly target: string
  readonly shape: ShapeName
  readonly purpose: string
  /** Journeys a second at factor 1 of the shape. */
  readonly rate: number
  readonly seconds: number
  readonly passed: boolean
  readonly operations: readonly OperationFigures[]
  readonly overTime: readonly Slot[]
  readonly failuresByStatus: readonly { readonly status: string; readonly count: number }[]
  /** Those that have ended; the renewals of kept sessions are no journeys. */
  readonly journeys: number
  /** Journeys that could not begin because all of k6's were still on their way: the app, or k6's machine, is too slow. */
  readonly notBegun: number
  readonly requests: number
  readonly limited: number
}

/** The run in figures, from k6's summary. */
export function reportOf(
  { metrics }: SummaryData,
  run: { target: string; shape: ShapeName; rate: number; seconds: number },
): Report {
  const value = (metric: string, key: string) => metrics[metric]?.values[key] ?? 0
  const limitedIn = (tags = '') => value(`${metricNames.limited}${tags}`, 'passes')

  function figuresOf(name: Operation): OperationFigures {
    const tags = `{operation:${name}}`
    const [duration, failures] = [`${metricNames.duration}${tags}`, `${metricNames.failed}${tags}`]
    const failed = value(failures, 'passes')
    const count = failed + value(failures, 'fails')
    const rules = [duration, failures].flatMap((metric) => Object.entries(metrics[metric]?.thresholds ?? {}))
    return {
      name,
      count,
      perSecond: count / run.seconds,
      p50: value(duration, 'med'),
      p95: value(duration, 'p(95)'),
      p99: value(duration, 'p(99)'),
      max: value(duration, 'max'),
      failed,
      failedRate: value(failures, 'rate'),
      limited: limitedIn(tags),
      limits: rules.map(([rule, { ok }]) => ({ rule, ok })),
    }
  }

  const slotSeconds = run.seconds / slots
  function slotOf(slot: number): Slot {
    const tags = `{slot:${slotName(slot)}}`
    const succeeded = value(`${metricNames.duration}${tags}`, 'count')
    const failed = value(`${metricNames.failed}${tags}`, 'passes')
    return {
      fromSeconds: slot * slotSeconds,
      perSecond: (succeeded + failed) / slotSeconds,
      p95: succeeded > 0 ? value(`${metricNames.duration}${tags}`, 'p(95)') : undefined,
      failedRate: value(`${metricNames.failed}${tags}`, 'rate'),
    }
  }

  const all = Object.values(metrics).flatMap(({ thresholds }) => Object.values(thresholds ?? {}))
  const figures = operations.map(figuresOf)
  return {
    ...run,
    purpose: shapes[run.shape].purpose,
    // A run in which nothing was done has broken no limit either.
    passed: all.every(({ ok }) => ok) && figures.some(({ count }) => count > 0),
    operations: figures,
    overTime: Array.from({ length: slots }, (_, slot) => slotOf(slot)),
    failuresByStatus: failureKinds.flatMap((status) => {
      const count = value(`${metricNames.byStatus}{status:${status}}`, 'count')
      return count > 0 ? [{ status, count }] : []
    }),
    journeys: value(journeysMetric, 'count'),
    notBegun: value('dropped_iterations', 'count'),
    requests: value('http_reqs', 'count'),
    limited: limitedIn(),
  }
}

/** What a reader of the figures has to know, in sentences. */
export function remarksOf(report: Report): string[] {
  const remarks: string[] = []
  if (report.limited > 0)
    remarks.push(
      `${report.limited} operations were refused by a rate limit (429). They are in no latency and no error rate. Raise LIMIT_SIGN_IN_PER_MINUTE_PER_IP for the run: all of its load comes from one address.`,
    )
  if (report.notBegun > 0)
    remarks.push(
      `${report.notBegun} journeys did not begin: those under way had not come to an end. The app, or the machine that runs k6, is too slow for this rate.`,
    )
  const unmeasured = report.operations.filter(({ count }) => count === 0).map(({ name }) => name)
  if (unmeasured.length > 0) remarks.push(`Not measured in this run: ${unmeasured.join(', ')}.`)
  if (report.failuresByStatus.length > 0)
    remarks.push(
      `Failures by answer: ${report.failuresByStatus.map(({ status, count }) => `${words[status] ?? status} ${count}`).join(', ')}.`,
    )
  if (durationSeconds(report.shape) < 60)
    remarks.push('Too short for a verdict on latency: it proves that the path works.')
  return remarks
}

const words: Record<string, string> = { none: 'no answer', wrong: 'wrong content', other: 'other status' }

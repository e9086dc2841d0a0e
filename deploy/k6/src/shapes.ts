/** The load shapes, all in this one file: how many sign-ins begin, and what counts as passed. Runs in k6 and in Node. */

/** Part of a shape: within `seconds` the rate moves to `factor` times the base rate. */
interface Stage {
  readonly seconds: number
  readonly factor: number
}

interface Shape {
  readonly purpose: string
  /** Journeys a second that `factor` 1 stands for, unless RATE says otherwise. A journey is one person's way in and out. */
  readonly baseRate: number
  readonly stages: readonly Stage[]
  /** Sessions that are kept until their token has to be renewed. */
  readonly keptSessions: number
  /** Share of failed operations that still passes. */
  readonly errorRate: number
  /** The latency limits are this many times those of {@link limits}. */
  readonly slack: number
}

const minutes = 60

export const shapes = {
  smoke: {
    purpose: 'the path works and nothing is absurdly slow',
    baseRate: 1,
    stages: [{ seconds: 20, factor: 1 }],
    keptSessions: 1,
    errorRate: 0,
    slack: 1,
  },
  average: {
    purpose: 'an ordinary busy hour',
    baseRate: 3,
    stages: [
      { seconds: 30, factor: 1 },
      { seconds: 5 * minutes, factor: 1 },
      { seconds: 30, factor: 0 },
    ],
    keptSessions: 5,
    errorRate: 0.001,
    slack: 1,
  },
  stress: {
    purpose: 'in steps to four times the ordinary rate: where latency begins to climb',
    baseRate: 3,
    stages: [1, 2, 3, 4].flatMap((factor) => [
      { seconds: 15, factor },
      { seconds: 2 * minutes, factor },
    ]),
    keptSessions: 5,
    errorRate: 0.01,
    slack: 2,
  },
  spike: {
    purpose: 'eight times the ordinary rate within seconds, and back: does it recover',
    baseRate: 3,
    stages: [
      { seconds: 1 * minutes, factor: 1 },
      { seconds: 10, factor: 8 },
      { seconds: 1 * minutes, factor: 8 },
      { seconds: 10, factor: 1 },
      { seconds: 1 * minutes, factor: 1 },
    ],
    keptSessions: 5,
    errorRate: 0.05,
    slack: 4,
  },
  soak: {
    purpose: 'the ordinary rate for two hours: leaks, growing stores, expiring keys',
    baseRate: 3,
    stages: [
      { seconds: 1 * minutes, factor: 1 },
      { seconds: 120 * minutes, factor: 1 },
      { seconds: 1 * minutes, factor: 0 },
    ],
    keptSessions: 10,
    errorRate: 0.001,
    slack: 1,
  },
} as const satisfies Record<string, Shape>
export type ShapeName = keyof typeof shapes
export const shapeNames = Object.keys(shapes)
export const isShapeName = (name: string): name is ShapeName => Object.hasOwn(shapes, name)

/** Each operation's 95th and 99th percentile in milliseconds, with the identity provider's part of it. */
const limits = {
  'password sign-in': { p95: 1500, p99: 3000 },
  'code flow': { p95: 2500, p99: 4000 },
  sync: { p95: 300, p99: 800 },
  'session check': { p95: 200, p99: 500 },
  'GET user': { p95: 200, p99: 500 },
  'profile write': { p95: 300, p99: 800 },
  refresh: { p95: 800, p99: 2000 },
  'sign-out': { p95: 300, p99: 800 },
  inbox: { p95: 300, p99: 800 },
  // Through simulator, ingest and worker into the list.
  'message in': { p95: 1500, p99: 3000 },
  'message out': { p95: 300, p99: 800 },
} as const
export type Operation = keyof typeof limits
export const operations = Object.keys(limits).flatMap((name) =>
  Object.hasOwn(limits, name) ? [name as Operation] : [],
)

/** How long one journey takes a person here, pauses included, with room for a slow moment: what bounds the parallel ones. */
const journeySeconds = 10
const fewestJourneys = 5
/** Accounts are shared beyond this; an account may have 20 sessions at once. */
const maxAccounts = 100

/** @param rate journeys a second at factor 1. */
export function planOf(name: ShapeName, rate: number = shapes[name].baseRate) {
  const { stages, keptSessions } = shapes[name]
  const peakRate = rate * Math.max(...stages.map(({ factor }) => factor))
  const parallel = Math.max(fewestJourneys, Math.ceil(peakRate * journeySeconds))
  const perMinute = (factor: number) => Math.round(rate * factor * 60)
  const seconds = stages.reduce((sum, stage) => sum + stage.seconds, 0)
  return {
    seconds,
    parallel,
    accounts: Math.min(maxAccounts, parallel) + keptSessions,
    scenarios: {
      journeys: {
        executor: 'ramping-arrival-rate' as const,
        exec: 'journey',
        startRate: perMinute(stages[0].factor),
        timeUnit: '1m',
        preAllocatedVUs: Math.min(parallel, 50),
        maxVUs: parallel,
        stages: stages.map((stage) => ({ duration: `${stage.seconds}s`, target: perMinute(stage.factor) })),
        gracefulStop: '30s',
      },
      renewals: {
        executor: 'constant-vus' as const,
        exec: 'renewal',
        vus: keptSessions,
        duration: `${seconds}s`,
        // A token that lives for five minutes is renewed after three and a half.
        gracefulStop: '300s',
      },
    },
  }
}

/** Own metrics: an operation may be several requests. */
export const metricNames = {
  duration: 'operation_duration',
  failed: 'operation_failed',
  limited: 'operation_limited',
} as const

/**
 * What has to hold for a run to pass.
 * @param factor multiplies the latency limits, for a machine that has other work.
 */
export function thresholdsOf(name: ShapeName, factor = 1): Record<string, string[]> {
  const { errorRate, slack } = shapes[name]
  const { duration, failed, limited } = metricNames
  const thresholds: Record<string, string[]> = {
    // A run in which nothing was done has broken no other limit.
    'iterations{scenario:journeys}': ['count>0'],
    // Beyond this the run has measured the rate limiter and not the sign-in.
    [limited]: ['rate<0.01'],
  }
  for (const operation of operations) {
    const { p95, p99 } = limits[operation]
    const ms = (limit: number) => Math.round(limit * slack * factor)
    thresholds[`${duration}{operation:${operation}}`] = [`p(95)<${ms(p95)}`, `p(99)<${ms(p99)}`]
    thresholds[`${failed}{operation:${operation}}`] = [errorRate === 0 ? 'rate==0' : `rate<${errorRate}`]
  }
  return thresholds
}

/** Limits of each operation's 95th and 99th percentile in milliseconds, with the identity provider's part. */
const limits = {
  'password sign-in': [1500, 3000],
  'code flow': [2500, 4000],
  sync: [300, 800],
  'session check': [200, 500],
  'GET user': [200, 500],
  'profile write': [300, 800],
  refresh: [800, 2000],
  'sign-out': [300, 800],
  inbox: [300, 800],
  // The way leads through simulator, ingest and worker into the list.
  'message in': [1500, 3000],
  'message out': [300, 800],
} as const
export type Operation = keyof typeof limits

interface Shape {
  /** Seconds in which the rate moves to this many journeys a second. A journey is one person's way in and out. */
  readonly stages: readonly (readonly [seconds: number, rate: number])[]
  /** Parallel journeys at the peak: each takes a person ten seconds here, with room for a slow moment. */
  readonly parallel: number
  /** Sessions that are kept until their token has to be renewed. */
  readonly kept: number
  /** Share of failed operations that still passes. */
  readonly errorRate: number
  /** The latency limits are this many times those of {@link limits}. */
  readonly slack: number
}

const shapes: Readonly<Record<string, Shape>> = {
  // The path works and nothing is absurdly slow.
  smoke: { stages: [[20, 1]], parallel: 10, kept: 1, errorRate: 0, slack: 1 },
  // An ordinary busy hour.
  average: {
    stages: [
      [30, 3],
      [300, 3],
      [30, 0],
    ],
    parallel: 30,
    kept: 5,
    errorRate: 0.001,
    slack: 1,
  },
  // Rises in steps to four times the ordinary rate: it shows where latency begins to climb.
  stress: {
    stages: [3, 6, 9, 12].flatMap(
      (rate) =>
        [
          [15, rate],
          [120, rate],
        ] as const,
    ),
    parallel: 120,
    kept: 5,
    errorRate: 0.01,
    slack: 2,
  },
  // Rises to eight times the ordinary rate within seconds, and falls: it shows whether the app recovers.
  spike: {
    stages: [
      [60, 3],
      [10, 24],
      [60, 24],
      [10, 3],
      [60, 3],
    ],
    parallel: 240,
    kept: 5,
    errorRate: 0.05,
    slack: 4,
  },
  // The ordinary rate for two hours: leaks, growing stores, expiring keys.
  soak: {
    stages: [
      [60, 3],
      [7200, 3],
      [60, 0],
    ],
    parallel: 30,
    kept: 10,
    errorRate: 0.001,
    slack: 1,
  },
}

/** Accounts are shared beyond this; an account may have 20 sessions at once. */
const maxAccounts = 100

/**
 * The options of a run, of SHAPE; RATE multiplies its rate, THRESHOLD_FACTOR its latency limits.
 * @throws for a shape that is none, and a factor that is no number from 0.01 to 1000.
 */
export function readScenarios(env: Readonly<Record<string, string | undefined>>) {
  const shape = shapes[env['SHAPE'] || 'smoke']
  if (!shape) throw new Error(`SHAPE is ${env['SHAPE']}; it must be one of ${Object.keys(shapes).join(', ')}.`)
  const rate = factorOf(env, 'RATE')
  const { stages, kept, errorRate, slack } = shape
  const parallel = Math.ceil(shape.parallel * Math.max(rate, 0.5))
  const seconds = stages.reduce((sum, [duration]) => sum + duration, 0)
  const journeys = journeysOf(stages) * rate
  const ms = (limit: number) => Math.round(limit * slack * factorOf(env, 'THRESHOLD_FACTOR'))
  const thresholds: Record<string, string[]> = {
    // A run in which nothing was done has broken no other limit.
    'iterations{scenario:journeys}': ['count>0'],
    // An iteration that throws beside its operations is counted by none of them.
    iteration_threw: ['rate==0'],
    // Journeys that found nobody free to make them: the load was less than the shape says.
    dropped_iterations: [`count<${1 + Math.floor(journeys * Math.max(errorRate, 0.01))}`],
    // Beyond this the run has measured the rate limiter and not the sign-in.
    operation_limited: ['rate<0.01'],
  }
  for (const [operation, [p95, p99]] of Object.entries(limits)) {
    thresholds[`operation_duration{operation:${operation}}`] = [`p(95)<${ms(p95)}`, `p(99)<${ms(p99)}`]
    thresholds[`operation_failed{operation:${operation}}`] = [errorRate === 0 ? 'rate==0' : `rate<${errorRate}`]
  }
  for (const operation of expectedOperations(journeys, Boolean(env['SIMULATOR'])))
    thresholds[`operations_done{operation:${operation}}`] = ['count>0']
  return {
    seconds,
    kept,
    accounts: Math.min(maxAccounts, parallel) + kept,
    thresholds,
    scenarios: {
      journeys: {
        executor: 'ramping-arrival-rate' as const,
        exec: 'journey',
        timeUnit: `${Math.round(1000 / rate)}ms`,
        startRate: stages[0]?.[1] ?? 0,
        stages: stages.map(([duration, target]) => ({ duration: `${duration}s`, target })),
        preAllocatedVUs: Math.min(parallel, 50),
        maxVUs: parallel,
        gracefulStop: '30s',
      },
      renewals: {
        executor: 'constant-vus' as const,
        exec: 'renewal',
        vus: kept,
        duration: `${seconds}s`,
        // A token that lives for five minutes is renewed after three and a half.
        gracefulStop: '300s',
      },
    },
  }
}

/** Counts the journeys of all stages, each of which leads from the rate before it to its own. */
function journeysOf(stages: Shape['stages']): number {
  let before = stages[0]?.[1] ?? 0
  let count = 0
  for (const [duration, target] of stages) {
    count += (duration * (before + target)) / 2
    before = target
  }
  return count
}

/**
 * Names the operations that a run has to do: what was never done has kept no limit. Every fifth journey takes the code flow. Renewals
 * are not asked for: tokens of a target may live longer than a run waits, which it says.
 */
function expectedOperations(journeys: number, withInbox: boolean): Operation[] {
  const always: Operation[] = ['password sign-in', 'sync', 'session check', 'GET user', 'profile write', 'sign-out']
  return [
    ...always,
    ...(journeys >= 10 ? (['code flow'] as const) : []),
    ...(withInbox ? (['inbox', 'message in', 'message out'] as const) : []),
  ]
}

function factorOf(env: Readonly<Record<string, string | undefined>>, name: string): number {
  const value = Number(env[name] || 1)
  if (value >= 0.01 && value <= 1000) return value
  throw new Error(`${name} is ${env[name]}; it must be a number from 0.01 to 1000.`)
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { parleyVersion } from './build.ts'

export interface Metrics {
  /** Content type and text of the current values, in Prometheus' exposition format. */
  render(): Promise<{ contentType: string; text: string }>
  /** Records a finished HTTP request. `operation` is an endpoint's stable name, never a path. */
  observeRequest(operation: string, method: string, status: number, seconds: number): void
  /**
   * A counter with one label. Each of its values is exported from the start, so that the first event is already a rise.
   * @returns a function that counts.
   */
  counter<V extends string>(options: {
    name: `${string}_total`
    help: string
    label: string
    values: readonly V[]
  }): (value: V, count?: number) => void
  /**
   * A gauge with one label, read whenever the figures are asked for: keep it cheap. While it cannot be read it is absent.
   * @param options.read the current value of each label.
   */
  gauge<V extends string>(options: {
    name: string
    help: string
    label: string
    read: () => Promise<Readonly<Record<V, number>>>
  }): void
  /** @returns a function that observes a duration, with a value of each label. */
  histogram<L extends string = never>(options: {
    name: `${string}_seconds`
    help: string
    /** Upper bounds of the buckets, in seconds. */
    buckets: readonly number[]
    labels?: readonly L[]
    /** Labels that are exported from the start, so that the first event is already a rise. */
    known?: readonly Readonly<Record<L, string>>[]
  }): (seconds: number, values?: Readonly<Record<L, string>>) => void
  /** Tells the number of the newest migration that the code of this process knows, once its database has it. */
  noteMigration(number: number): void
  readonly registry: Registry
}

/** Creates the metrics of a process: rate, errors and duration per operation, and its own event-loop lag, memory and CPU. */
export function createMetrics(process: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const build = new Gauge({
    name: 'build_info',
    help: 'Version of Parley that the process runs, and the newest migration of its code that its database has',
    labelNames: ['version', 'migration'],
    registers: [registry],
  })
  const noteMigration = (migration: number | '') => {
    build.reset()
    build.set({ version: parleyVersion, migration }, 1)
  }
  noteMigration('')
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by operation',
    labelNames: ['operation', 'method', 'status'],
    // Alerts ask for p95 above 1 and 2 s: a threshold between two bounds would be guessed from them.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
    registers: [registry],
  })
  return {
    registry,
    noteMigration,
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    counter: ({ name, help, label, values }) => {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] })
      for (const value of values) counter.inc({ [label]: value }, 0)
      return (value, count = 1) => counter.inc({ [label]: value }, count)
    },
    gauge: ({ name, help, label, read }) => {
      const gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const values = await read().catch((): Record<string, number> => ({}))
          gauge.reset()
          for (const [value, count] of Object.entries<number>(values)) gauge.set({ [label]: value }, count)
        },
      })
    },
    histogram: ({ name, help, buckets, labels = [], known = [] }) => {
      const histogram = new Histogram<string>({
        name,
        help,
        buckets: [...buckets],
        labelNames: [...labels],
        registers: [registry],
      })
      for (const values of known) histogram.zero({ ...values })
      return (seconds, values) => histogram.observe({ ...values }, seconds)
    },
    observeRequest: (operation, method, status, seconds) =>
      requests.observe({ operation, method, status: String(status) }, seconds),
  }
}

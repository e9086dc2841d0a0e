/** How much is done; `--short` proves that the bench works, its results mean little. */
export interface Plan {
  readonly rounds: number
  /** Of one round of ingest. */
  readonly seconds: number
  readonly connections: number
  readonly numbers: number
  /** Customers of all numbers together. */
  readonly customers: number
  /** Messages that are sent, once each round. */
  readonly sends: number
  /** Webhooks that a browser is waiting for. */
  readonly arrivals: number
  readonly mostMiB: number
}

const common = { numbers: 8, mostMiB: 300 }

export const fullPlan: Plan = {
  ...common,
  rounds: 3,
  seconds: 4,
  connections: 128,
  customers: 2000,
  sends: 6000,
  arrivals: 200,
}
export const shortPlan: Plan = {
  ...common,
  rounds: 1,
  seconds: 1,
  connections: 16,
  customers: 80,
  sends: 160,
  arrivals: 10,
}

declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration?: number
    /** Requests of all connections together, in place of a duration. */
    amount?: number
    /** Requests that each connection repeats; `setupRequest` may vary each of them. */
    requests: { setupRequest: (request: object) => object }[]
  }
  interface Result {
    requests: { average: number }
    /** Milliseconds. */
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
    timeouts: number
  }
  export default function autocannon(options: Options): Promise<Result>
}

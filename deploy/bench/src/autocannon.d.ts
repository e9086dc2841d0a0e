declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration?: number
    /** Requests of all connections together, in place of a duration. */
    amount?: number
    /** Each connection sends them over and over; `setupRequest` may give each request something of its own. */
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

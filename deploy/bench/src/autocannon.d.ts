declare module 'autocannon' {
  interface Client {
    /** Headers of the client's next request. */
    setHeaders(headers: Record<string, string>): void
    setHeadersAndBody(headers: Record<string, string>, body: string): void
    on(event: 'response', listener: () => void): void
  }
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration?: number
    /** Requests of all connections together, in place of a duration. */
    amount?: number
    method?: 'GET' | 'POST'
    headers: Record<string, string>
    setupClient?: (client: Client) => void
  }
  /** Resolves to the metrics of the run. */
  export default function autocannon(options: Options): Promise<unknown>
}

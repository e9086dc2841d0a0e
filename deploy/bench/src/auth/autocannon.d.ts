declare module 'autocannon' {
  interface Client {
    /** Headers of the client's next request. */
    setHeaders(headers: Record<string, string>): void
    on(event: 'response', listener: () => void): void
  }
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    headers: Record<string, string>
    setupClient?: (client: Client) => void
  }
  /** Resolves to figures of the run. */
  export default function autocannon(options: Options): Promise<unknown>
}

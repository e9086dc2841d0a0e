/** What runs containers here, and the images that it runs. */
export interface Engine {
  /** The command that speaks to it. */
  readonly client: string
  /** In words, for the report. */
  readonly what: string
  /** Variables for the client, for compose and for builds: where the daemon is, and images that are not the upstream ones. */
  readonly env: Readonly<Record<string, string>>
  /** Goes before a command that opens what containers publish. */
  readonly inside: readonly string[]
  /** Arguments of `docker build` on this machine. */
  readonly buildArguments: readonly string[]
  /** From building to running; images stay. */
  run(): Promise<void>
  close(): Promise<void>
}

/** A process of Parley, as the launcher, the BFF, images, compose, the chart and the docs need to know it. */
export interface ProcessDescription {
  /** Name in tables and headings. */
  readonly label: string
  /**
   * `server` answers the BFF or other processes, `worker` answers none, `ingest` is called from outside. A `stand-in` replaces an
   * external server on a developer's machine, in compose and in CI, and is never deployed.
   */
  readonly kind: 'server' | 'worker' | 'ingest' | 'stand-in'
  /** Folder of its package, and its start file there. */
  readonly folder: string
  readonly entry: string
  /** Repository of its image; processes of one folder share it. */
  readonly image: string
  /** `http` is 3000 and `management` (metrics, public keys) 3001 in every container; without `management` both are on `http`. */
  readonly ports: readonly ('http' | 'management')[]
  /** External servers that it connects to; `receivers` are those of webhooks, of flows' calls and of campaigns' files, anywhere on the internet. */
  readonly needs: readonly ('mongodb' | 'redis' | 'identity-provider' | 'whatsapp' | 'receivers' | 'mail')[]
  /** Beginnings of the names of its keys in Redis, and the channels that it listens to; it is a user who reaches no others. */
  readonly redis?: { readonly keys: readonly string[]; readonly channels?: readonly string[] }
  /** MongoDB databases that its package owns; no other package reads them. */
  readonly databases: readonly string[]
  /** Start file of the job that migrates its database, beside `entry`. */
  readonly migrate?: string
  /** Processes whose endpoints it calls: it gets `<NAME>_URL` of each, and they trust its keys. */
  readonly calls: readonly string[]
  /** Its secret variables, each with its name under `secrets` in the chart's values. */
  readonly secrets: Readonly<Record<string, string>>
}

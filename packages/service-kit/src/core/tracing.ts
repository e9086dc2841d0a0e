import type { Tracing } from './open-telemetry.ts'

let current: Tracing | undefined

/** Returns the tracing of this process; `undefined` while it has none. */
export const tracing = (): Tracing | undefined => current

/**
 * Turns tracing on where the environment names a collector. Without one no library is loaded and no call is followed.
 * @param options.name the process; the service is called `parley-<name>` unless OTEL_SERVICE_NAME says otherwise.
 * @param options.onFailure told, once a minute at most, that the collector does not take what is sent.
 */
export async function startTracing(options: {
  name: string
  endpoint: unknown
  onFailure: () => void
}): Promise<Tracing | undefined> {
  if (options.endpoint === undefined) return undefined
  const { createTracing } = await import('./open-telemetry.ts')
  current = createTracing(`parley-${options.name}`, options.onFailure)
  return current
}

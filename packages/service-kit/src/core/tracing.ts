import type { Tracing } from './open-telemetry.ts'

let current: Tracing | undefined

/** Returns the tracing of this process; `undefined` while it has none. */
export const tracing = (): Tracing | undefined => current

/** Returns the `traceparent` to store beside work that others continue; `undefined` where nothing is traced. */
export const storedTrace = (): string | undefined => current?.traceparent()

/**
 * Runs work that others have stored, as a part of the traces in which they did.
 * @param traceparents of {@link storedTrace}.
 */
export const inStoredTrace = <T>(
  name: string,
  traceparents: readonly (string | undefined)[],
  work: () => Promise<T>,
): Promise<T> => (current ? current.continueTrace(name, traceparents, work) : work())

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

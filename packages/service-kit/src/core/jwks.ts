import {
  createRemoteJWKSet,
  errors,
  type FlattenedJWSInput,
  type JWSHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose'

/** A remote key set that survives its server's absence. */
export interface KeySet {
  /** Key resolver for jose's verify functions. */
  readonly getKey: JWTVerifyGetKey
  /** True once keys have been read at least once. */
  readonly loaded: () => boolean
  /** Reads the keys now. Rejects when the server does not answer; keys already held stay. */
  readonly reload: () => Promise<void>
}

/** Milliseconds after a failed read in which an unknown key causes no other one. */
const failurePauseMs = 1000

const outageCodes = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']

/**
 * Returns whether a verification failed because no key could be read, which says nothing about the token. jose reports an
 * unreachable or failing key server by these codes, a failed connection by fetch's own error.
 */
export const isKeySetOutage = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) || outageCodes.includes(error.code)

/**
 * Wraps jose's remote set. Keys are read again in the background every `freshMs`, so that a withdrawn key loses its trust; an
 * outage of the key server leaves those that are held, for `heldMs` at most. An unknown `kid` is looked for at once, unless one was looked for in
 * vain within `cooldownMs`, so that forged tokens cannot flood the key server.
 */
export function createKeySet(
  url: string,
  { cooldownMs = 30_000, timeoutMs = 2000, freshMs = 60_000, heldMs = 24 * 3600_000 } = {},
): KeySet {
  const remote = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
  })
  let inFlight: Promise<void> | undefined
  let staleAt = Number.POSITIVE_INFINITY
  let endsAt = Number.POSITIVE_INFINITY
  let quiet: { readonly until: number; readonly error: unknown } | undefined

  const loaded = () => remote.jwks() !== undefined
  const knows = (kid: string | undefined) => remote.jwks()?.keys.some((key) => key.kid === kid) === true
  const reload = () => {
    inFlight ??= remote
      .reload()
      .then(() => {
        endsAt = Date.now() + heldMs
      })
      .finally(() => {
        inFlight = undefined
        staleAt = Date.now() + freshMs
      })
    return inFlight
  }

  async function look(kid: string | undefined): Promise<void> {
    if (inFlight === undefined && quiet && Date.now() < quiet.until) throw quiet.error
    await reload().catch((error: unknown) => {
      quiet = { until: Date.now() + failurePauseMs, error }
      throw error
    })
    if (knows(kid)) return
    quiet = { until: Date.now() + cooldownMs, error: new errors.JWKSNoMatchingKey() }
    throw quiet.error
  }

  async function getKey(header: JWSHeaderParameters, token: FlattenedJWSInput) {
    if (!loaded() || Date.now() > endsAt) await reload()
    if (!knows(header.kid)) await look(header.kid)
    else if (Date.now() > staleAt) void reload().catch(() => undefined)
    return remote(header, token)
  }
  return { getKey, loaded, reload }
}

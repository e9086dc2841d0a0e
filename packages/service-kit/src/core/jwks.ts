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

/**
 * Wraps jose's remote set. Held keys never go stale by themselves, so that an outage of the key server does not fail
 * verification; an unknown `kid` triggers at most one fetch per `cooldownMs`, so that forged tokens cannot flood it.
 */
export function createKeySet(url: string, { cooldownMs = 30_000, timeoutMs = 2000 } = {}): KeySet {
  const remote = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: cooldownMs,
    timeoutDuration: timeoutMs,
  })
  let inFlight: Promise<void> | undefined
  let lastAttempt = Number.NEGATIVE_INFINITY

  const loaded = () => remote.jwks() !== undefined
  const reload = () => {
    inFlight ??= remote
      .reload()
      .then(() => undefined)
      .finally(() => {
        inFlight = undefined
      })
    return inFlight
  }

  async function getKey(header: JWSHeaderParameters, token: FlattenedJWSInput) {
    if (!loaded()) await reload()
    const knows = remote.jwks()?.keys.some((key) => key.kid === header.kid)
    if (!knows) {
      if (inFlight === undefined && Date.now() - lastAttempt < cooldownMs) throw new errors.JWKSNoMatchingKey()
      lastAttempt = Date.now()
      await reload()
      if (!remote.jwks()?.keys.some((key) => key.kid === header.kid)) throw new errors.JWKSNoMatchingKey()
    }
    return remote(header, token)
  }
  return { getKey, loaded, reload }
}

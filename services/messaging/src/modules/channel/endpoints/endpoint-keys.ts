import { areEqualBytes } from '@parley/service-kit/core/equal-bytes'
import type { Secret, SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { LRUCache } from 'lru-cache'
import { isSignedBy } from '../../../whatsapp/signature.ts'
import { appSecretField, type EndpointRecord, verifyTokenField } from './endpoints.model.ts'
import { createEndpointsRepository } from './endpoints.repository.ts'

/** A secret that was taken away is refused in other processes after this long at the latest. */
const cacheMs = 5000
/** A mismatch is compared with what is stored now, at most once per this interval. */
const secondLookMs = 1000

/** An endpoint as ingest needs it. */
interface OpenEndpoint {
  readonly workspaceId: string
  readonly verifyToken: Secret
  readonly appSecrets: readonly Secret[]
}

export type EndpointKeys = ReturnType<typeof createEndpointKeys>

/** Checks callers of a webhook address, by secrets that are cached in clear for seconds. */
export function createEndpointKeys({ mongo, box }: { mongo: ServiceConnection; box: SecretBox }) {
  const endpoints = createEndpointsRepository(mongo)
  const opened = new LRUCache<string, { at: number; endpoint: Promise<OpenEndpoint | undefined> }>({
    max: 10_000,
    ttl: cacheMs,
  })

  /** @returns the workspace for which a webhook was signed; `undefined` for an unknown address or a wrong signature. */
  function workspaceOf(publicId: string, body: Buffer, signature: string | undefined): Promise<string | undefined> {
    return firstFitting(publicId, ({ workspaceId, appSecrets }) => {
      const secrets = appSecrets.map((secret) => secret.reveal())
      return isSignedBy(body, signature, secrets) ? workspaceId : undefined
    })
  }

  /** Returns whether an address exists: checked before anything of a request is read. */
  const isKnown = async (publicId: string): Promise<boolean> => (await firstFitting(publicId, () => true)) === true

  /** Returns whether a handshake presents the verify token of an address. */
  async function isVerifiedBy(publicId: string, token: string): Promise<boolean> {
    const fits = await firstFitting(
      publicId,
      ({ verifyToken }) => areEqualBytes(verifyToken.reveal(), token) || undefined,
    )
    return fits === true
  }

  /** Asks what is known; where that does not fit, a new secret may have been stored meanwhile. */
  async function firstFitting<T>(
    publicId: string,
    fits: (endpoint: OpenEndpoint) => T | undefined,
  ): Promise<T | undefined> {
    const ask = async () => {
      const endpoint = await open(publicId)
      return endpoint && fits(endpoint)
    }
    const result = await ask()
    if (result !== undefined || Date.now() - (opened.get(publicId)?.at ?? 0) < secondLookMs) return result
    opened.delete(publicId)
    return ask()
  }

  function open(publicId: string): Promise<OpenEndpoint | undefined> {
    const known = opened.get(publicId)
    if (known) return known.endpoint
    const endpoint = endpoints.findByAddress(publicId).then((found) => (found ? unseal(found) : undefined))
    // A database that is away is asked again at the next call.
    endpoint.catch(() => opened.delete(publicId))
    opened.set(publicId, { at: Date.now(), endpoint })
    return endpoint
  }

  const unseal = ({ workspaceId, verifyToken, appSecrets }: EndpointRecord): OpenEndpoint => ({
    workspaceId,
    verifyToken: box.open(verifyToken, { workspaceId, field: verifyTokenField }),
    appSecrets: appSecrets.map(({ value }) => box.open(value, { workspaceId, field: appSecretField })),
  })

  return { workspaceOf, isKnown, isVerifiedBy }
}

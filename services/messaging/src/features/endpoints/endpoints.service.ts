import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret, type SecretBox } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { LRUCache } from 'lru-cache'
import { isSignedBy } from '../../whatsapp/signature.ts'
import type { EndpointRecord } from './endpoints.model.ts'
import type { EndpointsRepository } from './endpoints.repository.ts'

/** A change of the secrets is felt in other processes after this long at the latest. */
const cacheMs = 5000
const verifyTokenField = 'endpoints.verifyToken'
const appSecretField = 'endpoints.appSecrets'

/** An endpoint as ingest needs it. */
interface OpenEndpoint {
  readonly workspaceId: string
  readonly verifyToken: Secret
  readonly appSecrets: readonly Secret[]
}

export type EndpointsService = ReturnType<typeof createEndpointsService>

/** The addresses at which WhatsApp's webhooks arrive, one for each workspace. */
export function createEndpointsService({
  endpoints,
  box,
  publicUrl,
}: {
  endpoints: EndpointsRepository
  box: SecretBox
  /** Origin at which the ingest process is reached from outside. */
  publicUrl: string
}) {
  const opened = new LRUCache<string, Promise<OpenEndpoint | undefined>>({ max: 10_000, ttl: cacheMs })

  /** The workspace's endpoint, made at the first call. Its verify token is told once, here. */
  async function ensure(
    scope: WorkspaceScope,
  ): Promise<{ url: string; verifyToken: Secret; endpoint: EndpointRecord }> {
    const known = await endpoints.find(scope)
    if (known) return { url: urlOf(known), verifyToken: openToken(known), endpoint: known }
    const verifyToken = new Secret(randomBytes(24).toString('base64url'))
    const created = await endpoints.create(scope, {
      publicId: randomBytes(16).toString('hex'),
      verifyToken: box.seal(verifyToken, { workspaceId: scope.workspaceId, field: verifyTokenField }),
      appSecrets: [],
    })
    return { url: urlOf(created), verifyToken, endpoint: created }
  }

  /** From now on webhooks signed with this app secret are taken too; the one before stays good beside it. */
  async function addAppSecret(scope: WorkspaceScope, secret: Secret): Promise<void> {
    const { endpoint } = await ensure(scope)
    const sealed = box.seal(secret, { workspaceId: scope.workspaceId, field: appSecretField })
    await endpoints.addSecret(scope, [sealed, ...endpoint.appSecrets])
    opened.delete(endpoint.publicId)
  }

  /** @returns the workspace for which a webhook was signed; `undefined` for an unknown address or a wrong signature. */
  async function workspaceOf(
    publicId: string,
    body: Buffer,
    signature: string | undefined,
  ): Promise<string | undefined> {
    const endpoint = await open(publicId)
    const secrets = endpoint?.appSecrets.map((secret) => secret.reveal()) ?? []
    return isSignedBy(body, signature, secrets) ? endpoint?.workspaceId : undefined
  }

  /** Whether a handshake knows the verify token of an address. */
  async function isVerifiedBy(publicId: string, token: string): Promise<boolean> {
    const endpoint = await open(publicId)
    if (!endpoint) return false
    const [right, given] = [Buffer.from(endpoint.verifyToken.reveal()), Buffer.from(token)]
    return right.length === given.length && timingSafeEqual(right, given)
  }

  function open(publicId: string): Promise<OpenEndpoint | undefined> {
    const known = opened.get(publicId)
    if (known) return known
    const reading = endpoints.findByAddress(publicId).then(
      (endpoint) => endpoint && unseal(endpoint),
      (error: unknown) => {
        opened.delete(publicId)
        throw error
      },
    ) as Promise<OpenEndpoint | undefined>
    opened.set(publicId, reading)
    return reading
  }

  const unseal = (endpoint: EndpointRecord): OpenEndpoint => ({
    workspaceId: endpoint.workspaceId,
    verifyToken: openToken(endpoint),
    appSecrets: endpoint.appSecrets.map((sealed) =>
      box.open(sealed, { workspaceId: endpoint.workspaceId, field: appSecretField }),
    ),
  })

  const openToken = ({ workspaceId, verifyToken }: EndpointRecord): Secret =>
    box.open(verifyToken, { workspaceId, field: verifyTokenField })

  const urlOf = ({ publicId }: EndpointRecord) => `${publicUrl}/hooks/whatsapp/${publicId}`

  return { ensure, addAppSecret, workspaceOf, isVerifiedBy }
}

import { randomBytes } from 'node:crypto'
import { errors } from '@parley/service-kit/core/errors'
import { Secret, type SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { appSecretField, type EndpointRecord, verifyTokenField } from './endpoints.model.ts'
import { createEndpointsRepository, type EndpointChange } from './endpoints.repository.ts'

const maxTries = 10
/** Maximum accounts on the simulator, each of which has an app of its own. */
const maxSimulated = 5

/** Displayed summary of a secret. */
interface SecretSummary {
  readonly last4: string
  readonly updatedAt: Date
}

export type EndpointsService = ReturnType<typeof createEndpointsService>

/** The addresses at which WhatsApp's webhooks arrive, one for each workspace, and their secrets. */
export function createEndpointsService({
  mongo,
  box,
  hooksUrl,
}: {
  mongo: ServiceConnection
  box: SecretBox
  /** Origin at which the ingest process is reached from outside. */
  hooksUrl: string
}) {
  const endpoints = createEndpointsRepository(mongo)

  /** The workspace's endpoint, made at the first call. */
  async function ensure({ workspaceId }: WorkspaceScope): Promise<EndpointRecord> {
    const known = await endpoints.find({ workspaceId })
    const endpoint =
      known ??
      (await endpoints.ensure({ workspaceId }, { publicId: randomBytes(16).toString('hex'), ...newToken(workspaceId) }))
    if (!endpoint) throw errors.serviceUnavailable(new Error('an upsert answered with nothing'))
    return endpoint
  }

  function newToken(workspaceId: string, token = new Secret(randomBytes(24).toString('base64url'))) {
    const verifyToken = box.seal(token, { workspaceId, field: verifyTokenField })
    return { verifyToken, verifyTokenLast4: token.reveal().slice(-4), verifyTokenAt: new Date() }
  }

  /** Returns the URL that WhatsApp calls, and the token by which it proves itself. */
  async function callback(scope: WorkspaceScope): Promise<{ url: string; verifyToken: Secret }> {
    const endpoint = await ensure(scope)
    const verifyToken = box.open(endpoint.verifyToken, { workspaceId: endpoint.workspaceId, field: verifyTokenField })
    return { url: urlOf(endpoint), verifyToken }
  }

  /** Adds an app secret: webhooks signed with it are accepted from now on, and those of the one before still are. */
  const addAppSecret = (scope: WorkspaceScope, secret: Secret, { simulated }: { simulated: boolean }) =>
    change(scope, (endpoint) => {
      const others = endpoint.appSecrets.filter((known) => known.simulated !== simulated)
      const sameKind = endpoint.appSecrets.filter((known) => known.simulated === simulated)
      if (sameKind.some((known) => open(endpoint, known.value).reveal() === secret.reveal())) return undefined
      const value = box.seal(secret, { workspaceId: scope.workspaceId, field: appSecretField })
      const added = { value, last4: secret.reveal().slice(-4), addedAt: new Date(), simulated }
      return { appSecrets: [...[added, ...sameKind].slice(0, simulated ? maxSimulated : 2), ...others] }
    })

  /** Ends a rotation: webhooks signed with the secret before are refused again. */
  const removePreviousAppSecret = (scope: WorkspaceScope) =>
    change(scope, ({ appSecrets }) => {
      const [, ...previous] = appSecrets.filter(({ simulated }) => !simulated)
      return { appSecrets: appSecrets.filter((known) => !previous.includes(known)) }
    })

  /** @returns the new verify token: it is shown this once. */
  async function regenerateVerifyToken(scope: WorkspaceScope): Promise<Secret> {
    const token = new Secret(randomBytes(24).toString('base64url'))
    await change(scope, () => newToken(scope.workspaceId, token))
    return token
  }

  /** Changes the endpoint; of concurrent changes the later one builds on what the first has stored. */
  async function change(scope: WorkspaceScope, changed: (endpoint: EndpointRecord) => EndpointChange | undefined) {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const endpoint = await ensure(scope)
      const set = changed(endpoint)
      if (!set || (await endpoints.change(scope, endpoint.version, set))) return
    }
    throw errors.serviceUnavailable(new Error('the endpoint changes all the time'))
  }

  /** Returns every secret by which a webhook is accepted. */
  async function appSecrets(scope: WorkspaceScope): Promise<Secret[]> {
    const endpoint = await endpoints.find(scope)
    return endpoint?.appSecrets.map(({ value }) => open(endpoint, value)) ?? []
  }

  const open = ({ workspaceId }: EndpointRecord, sealed: string): Secret =>
    box.open(sealed, { workspaceId, field: appSecretField })

  /** Returns the endpoint as members see it. */
  async function show(scope: WorkspaceScope) {
    const endpoint = await ensure(scope)
    const [current, previous] = endpoint.appSecrets.filter(({ simulated }) => !simulated)
    const summary = (secret: typeof current): SecretSummary | undefined =>
      secret && { last4: secret.last4, updatedAt: secret.addedAt }
    return {
      url: urlOf(endpoint),
      verifyToken: { last4: endpoint.verifyTokenLast4, updatedAt: endpoint.verifyTokenAt },
      appSecret: summary(current),
      previousAppSecret: summary(previous),
    }
  }

  const urlOf = ({ publicId }: EndpointRecord) => `${hooksUrl}/hooks/whatsapp/${publicId}`

  return { callback, addAppSecret, removePreviousAppSecret, regenerateVerifyToken, appSecrets, show }
}

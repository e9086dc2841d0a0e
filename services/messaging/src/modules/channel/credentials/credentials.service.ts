import type { Credentials, credentialsApi } from '@parley/contracts/channel/credentials'
import { errors } from '@parley/service-kit/core/errors'
import { Secret } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { z } from 'zod'
import type { EndpointsService } from '../endpoints/endpoints.service.ts'
import type { NumberConnection } from '../numbers/connect-number.ts'
import { runChecks } from '../numbers/number-checks.ts'
import type { Caller } from '../numbers/number-store.ts'
import { metaGraphUrl, type NumberRecord, type NumbersService } from '../numbers/numbers.service.ts'
import { placeOnSimulator, type SimulatorAddresses } from '../numbers/simulator-calls.ts'

type Change = z.output<typeof credentialsApi.update.body>

const none = { set: false, last4: '', updatedAt: null }
const shown = (secret: { last4: string; updatedAt: Date } | undefined) =>
  secret ? { set: true, last4: secret.last4, updatedAt: secret.updatedAt.toISOString() } : none

/** The credentials of the default number, as the settings show and change them. */
export function createCredentialsService({
  numbers,
  connection,
  endpoints,
}: {
  numbers: NumbersService
  connection: Pick<NumberConnection, 'connect' | 'targetOf' | 'tokenOf'>
  endpoints: EndpointsService
}) {
  const defaultOf = async (scope: WorkspaceScope): Promise<NumberRecord | undefined> =>
    (await numbers.list(scope)).find(({ isDefault }) => isDefault)

  async function read(scope: WorkspaceScope): Promise<Credentials> {
    const [number, endpoint] = await Promise.all([defaultOf(scope), endpoints.show(scope)])
    return {
      connected: number?.status === 'active',
      numberId: number?.id ?? null,
      phoneNumberId: number?.phoneNumberId ?? '',
      businessAccountId: number?.businessAccountId ?? '',
      accessToken: shown(number && { last4: number.tokenLast4, updatedAt: number.tokenSetAt }),
      appSecret: shown(endpoint.appSecret),
      previousAppSecret: shown(endpoint.previousAppSecret),
      webhook: { url: endpoint.url, verifyToken: shown(endpoint.verifyToken) },
    }
  }

  /** The number that the ids name becomes the default; one that is not connected yet is connected, with WhatsApp's own name. */
  async function update(caller: Caller, change: Change, simulator: SimulatorAddresses | undefined) {
    const { phoneNumberId, accessToken, appSecret } = change
    const known = (await numbers.list(caller)).find((number) => number.phoneNumberId === phoneNumberId)
    if (known) refuseOtherAccount(known, change)
    const number = known ?? (await connect(caller, change, simulator))
    const makesDefault = !number.isDefault
    const newToken = known && accessToken
    if (makesDefault || newToken) {
      await numbers.update(caller, number.id, {
        version: number.version,
        ...(makesDefault && { isDefault: true }),
        ...(newToken && { accessToken: newToken }),
      })
    }
    // Done once nothing is refused any more: a secret entered with a wrong token must not replace the valid one.
    if (appSecret !== undefined) await endpoints.addAppSecret(caller, new Secret(appSecret), { simulated: false })
    // Verifies now what a new secret or token has fixed.
    if (appSecret !== undefined || newToken) await numbers.check(caller, number.id, {})
    return read(caller)
  }

  async function connect(caller: Caller, { accessToken, ...ids }: Change, simulator: SimulatorAddresses | undefined) {
    if (accessToken === undefined)
      throw errors.validation({ accessToken: 'Enter the access token of this number: none is stored for it.' })
    const { appSecret: _stored, ...numberInput } = { ...ids, ...(await placeOf(ids.phoneNumberId, simulator)) }
    return connection.connect(caller, { ...numberInput, accessToken: new Secret(accessToken) })
  }

  const placeOf = async (phoneNumberId: string, simulator: SimulatorAddresses | undefined) =>
    (await placeOnSimulator(simulator, phoneNumberId)) ?? { graphUrl: metaGraphUrl }

  /** Tries the connection as it would be with what was entered. Nothing is subscribed or registered. */
  async function test(scope: WorkspaceScope, change: Change, simulator: SimulatorAddresses | undefined) {
    const { phoneNumberId, businessAccountId, appSecret } = change
    const known = (await numbers.list(scope)).find((number) => number.phoneNumberId === phoneNumberId)
    const accessToken =
      change.accessToken !== undefined ? new Secret(change.accessToken) : known && connection.tokenOf(known)
    if (!accessToken) throw errors.validation({ accessToken: 'Enter the access token of this number.' })
    const { graphUrl } = known ?? (await placeOf(phoneNumberId, simulator))
    const target = await connection.targetOf(scope, { phoneNumberId, businessAccountId, accessToken, graphUrl })
    const entered = appSecret === undefined ? target : { ...target, appSecrets: [new Secret(appSecret)] }
    // A secret that is only entered does not sign what our own address takes.
    const steps = appSecret === undefined ? (['webhook'] as const) : []
    const { checks } = await runChecks(entered, ['token', 'number', 'details', ...steps])
    return { checks: checks.map(({ at, ...check }) => ({ ...check, at: at.toISOString() })) }
  }

  return {
    read,
    update,
    test,
    regenerateVerifyToken: async (scope: WorkspaceScope) => ({
      verifyToken: (await endpoints.regenerateVerifyToken(scope)).reveal(),
    }),
    removePreviousAppSecret: endpoints.removePreviousAppSecret,
  }
}

function refuseOtherAccount({ businessAccountId }: NumberRecord, change: Change): void {
  if (businessAccountId === change.businessAccountId) return
  throw errors.validation({
    businessAccountId: `This number is connected with the business account ID ${businessAccountId}. Remove it first to connect it with another.`,
  })
}

import { AppError } from '@parley/service-kit/core/errors'
import type { Secret, SecretBox } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { z } from 'zod'
import { GraphCallFailed } from '../../whatsapp/graph-client.ts'
import type { GraphClients } from '../../whatsapp/graph-clients.ts'
import type { EndpointsService } from '../endpoints/endpoints.service.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'

const tokenField = 'numbers.accessToken'
const qualities: Record<string, NumberRecord['quality']> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' }

/** What a person types to connect a number. */
export interface NewNumber {
  readonly displayName: string
  readonly phoneNumber: string
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly accessToken: Secret
  readonly appSecret: Secret
  readonly graphUrl: string
  readonly simulated: boolean
}

export function createNumbersService({
  numbers,
  box,
  endpoints,
  graphs,
}: {
  numbers: NumbersRepository
  box: SecretBox
  endpoints: Pick<EndpointsService, 'ensure' | 'addAppSecret'>
  graphs: GraphClients
}) {
  /**
   * Connects a number: it must exist in the account that the token reaches, and its account's webhooks come here from now on.
   * @throws `number_exists`, `wrong_state` with WhatsApp's own words.
   */
  async function connect(scope: WorkspaceScope, input: NewNumber): Promise<NumberRecord> {
    if (await numbers.isConnected(input.phoneNumberId))
      throw new AppError('number_exists', 'This number is connected already, here or in another workspace.')
    const graph = graphs.of(input.graphUrl)
    const accessToken = input.accessToken.reveal()
    try {
      const found = await graph.call('GET', input.phoneNumberId, {
        accessToken,
        query: { fields: 'id,display_phone_number,verified_name,quality_rating,status' },
        answer: z.looseObject({ id: z.string(), quality_rating: z.string().optional() }),
      })
      await endpoints.addAppSecret(scope, input.appSecret)
      const { url, verifyToken } = await endpoints.ensure(scope)
      await graph.call('POST', `${input.businessAccountId}/subscribed_apps`, {
        accessToken,
        body: { override_callback_uri: url, verify_token: verifyToken.reveal() },
        answer: z.looseObject({ success: z.boolean() }),
      })
      const { appSecret: _secret, accessToken: _token, ...fields } = input
      return await numbers.create(scope, {
        ...fields,
        status: 'active',
        quality: qualities[found.quality_rating ?? ''] ?? 'unknown',
        accessToken: box.seal(input.accessToken, { workspaceId: scope.workspaceId, field: tokenField }),
        isDefault: (await numbers.list(scope)).length === 0,
      })
    } catch (error) {
      if (!(error instanceof GraphCallFailed)) throw error
      throw new AppError('wrong_state', `WhatsApp answered: ${error.refusal?.message ?? error.message}`)
    }
  }

  const tokenOf = ({ workspaceId, accessToken }: NumberRecord): Secret =>
    box.open(accessToken, { workspaceId, field: tokenField })

  /** The ids of numbers by their ids at the platform. */
  async function idsOf(scope: WorkspaceScope, phoneNumberIds: readonly string[]): Promise<Map<string, string>> {
    const found = phoneNumberIds.length > 0 ? await numbers.find(scope, phoneNumberIds) : []
    return new Map(found.map(({ phoneNumberId, id }) => [phoneNumberId, id]))
  }

  /** Of the number that new conversations are begun from. */
  async function defaultId(scope: WorkspaceScope): Promise<string | undefined> {
    const connected = await numbers.list(scope)
    return (connected.find(({ isDefault }) => isDefault) ?? connected[0])?.id
  }

  /** A new token: what waits is sent. */
  const resume = (scope: WorkspaceScope, id: string, token: Secret) =>
    numbers.resume(scope, id, box.seal(token, { workspaceId: scope.workspaceId, field: tokenField }))

  return {
    connect,
    read: numbers.read,
    readMany: numbers.readMany,
    list: numbers.list,
    idsOf,
    defaultId,
    tokenOf,
    resume,
  }
}

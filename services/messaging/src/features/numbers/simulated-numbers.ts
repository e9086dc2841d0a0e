import type { WhatsAppNumber } from '@parley/contracts/numbers'
import { AppError } from '@parley/service-kit/core/errors'
import { Secret } from '@parley/service-kit/core/secret-box'
import type { EndpointsService } from '../endpoints/endpoints.service.ts'
import type { NumberConnection } from './connect-number.ts'
import type { Caller, NumberStore } from './number-store.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'
import { discardNumber, makeNumber, type SimulatorAddresses, simulatedAt } from './simulator-calls.ts'

const usualName = 'Demo Shop'

/** Numbers on the simulator: made there and connected in one go. */
export function createSimulatedNumbers({
  numbers,
  store,
  connection,
  endpoints,
}: {
  numbers: NumbersRepository
  store: NumberStore
  connection: Pick<NumberConnection, 'connect'>
  endpoints: Pick<EndpointsService, 'addAppSecret'>
}) {
  /** @throws `wrong_state` in an installation without a simulator. */
  async function simulate(caller: Caller, simulator: SimulatorAddresses | undefined): Promise<WhatsAppNumber> {
    if (!simulator)
      throw new AppError('wrong_state', 'This installation has no simulator. Connect a number of your own.')
    return store.showOne(caller, await add(caller, simulator, { starter: false }))
  }

  /**
   * The simulated number that a new workspace begins with: made once, whoever calls how often, and not again after people have
   * removed it.
   * @param name of the business; customers see it.
   * @returns `null` where it was removed.
   */
  function ensureSimulatedNumber(
    caller: Caller,
    simulator: SimulatorAddresses,
    name?: string,
  ): Promise<NumberRecord | null> {
    const { workspaceId } = caller
    const underWay = ensuring.get(workspaceId)
    if (underWay) return underWay
    const made = ensure(caller, simulator, name).finally(() => ensuring.delete(workspaceId))
    ensuring.set(workspaceId, made)
    return made
  }
  const ensuring = new Map<string, Promise<NumberRecord | null>>()

  async function ensure(caller: Caller, simulator: SimulatorAddresses, name: string | undefined) {
    const known = await numbers.starter(caller)
    if (known) return connected(known)
    try {
      return await add(caller, simulator, { starter: true, name })
    } catch (error) {
      // Another process may have been first.
      const winner = await numbers.starter(caller)
      if (!winner) throw error
      return connected(winner)
    }
  }
  const connected = (number: NumberRecord) => (number.connected === undefined ? null : number)

  async function add(
    caller: Caller,
    simulator: SimulatorAddresses,
    { starter, name }: { starter: boolean; name?: string | undefined },
  ): Promise<NumberRecord> {
    const others = (await numbers.list(caller)).filter(
      ({ simulated, graphUrl }) => simulated && graphUrl === simulator.url,
    )
    const displayName = name ?? (others.length === 0 ? usualName : `${usualName} ${others.length + 1}`)
    // Numbers of one workspace share an account, and so the secret that signs their webhooks.
    const accountId = others[0]?.businessAccountId
    const place = await makeNumber(simulator, { name: displayName, ...(accountId && { accountId }) })
    try {
      await endpoints.addAppSecret(caller, new Secret(place.appSecret), { simulated: true })
      return await connection.connect(caller, {
        displayName,
        phoneNumber: place.displayNumber,
        phoneNumberId: place.phoneNumberId,
        businessAccountId: place.accountId,
        accessToken: new Secret(place.accessToken),
        ...simulatedAt(simulator, place.phoneNumberId, { starter }),
      })
    } catch (error) {
      await discardNumber(simulator, place.phoneNumberId)
      throw error
    }
  }

  return { simulate, ensureSimulatedNumber }
}

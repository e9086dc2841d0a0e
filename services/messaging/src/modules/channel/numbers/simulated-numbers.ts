import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
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
    return store.showOne(caller, await add(caller, simulator))
  }

  async function add(caller: Caller, simulator: SimulatorAddresses): Promise<NumberRecord> {
    const others = (await numbers.list(caller)).filter(
      ({ simulated, graphUrl }) => simulated && graphUrl === simulator.url,
    )
    const displayName = others.length === 0 ? usualName : `${usualName} ${others.length + 1}`
    // Numbers of one workspace share an account, and so the secret that signs their webhooks.
    const accountId = others[0]?.businessAccountId
    const simulatedNumber = await makeNumber(simulator, { name: displayName, ...(accountId && { accountId }) })
    try {
      await endpoints.addAppSecret(caller, new Secret(simulatedNumber.appSecret), { simulated: true })
      return await connection.connect(caller, {
        displayName,
        phoneNumber: simulatedNumber.displayNumber,
        phoneNumberId: simulatedNumber.phoneNumberId,
        businessAccountId: simulatedNumber.accountId,
        accessToken: new Secret(simulatedNumber.accessToken),
        ...simulatedAt(simulator, simulatedNumber.phoneNumberId),
      })
    } catch (error) {
      await discardNumber(simulator, simulatedNumber.phoneNumberId)
      throw error
    }
  }

  return { simulate }
}

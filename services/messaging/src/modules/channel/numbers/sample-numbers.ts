import { numberSteps, type WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { Secret } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleAccountId, sampleDigits, sampleRecords } from '../../../platform/sample-records.ts'
import type { EndpointsService } from '../endpoints/endpoints.service.ts'
import type { NumberConnection } from './connect-number.ts'
import type { NumberActivity } from './number-activity.ts'
import { runChecks, waiting } from './number-checks.ts'
import { type NumberRecord, numberSchema } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'
import { discardNumber, makeNumber, type SimulatorAddresses, simulatedAt } from './simulator-calls.ts'

const qualities = { high: 'GREEN', medium: 'YELLOW', low: 'YELLOW', unknown: 'UNKNOWN' } as const
const notConnected =
  'This sample number is not on a simulator, so it cannot send anything. Parley puts it there once the simulator runs.'

export type SampleNumbers = ReturnType<typeof createSampleNumbers>

/** Numbers of the sample data. They are shown at once, and work as soon as they are on the simulator. */
export function createSampleNumbers({
  mongo,
  numbers,
  activity,
  connection,
  endpoints,
}: {
  mongo: ServiceConnection
  numbers: NumbersRepository
  activity: NumberActivity
  connection: NumberConnection
  endpoints: Pick<EndpointsService, 'addAppSecret'>
}) {
  const collection = workspaceCollection<NumberRecord>({ connection: mongo, name: 'numbers', schema: numberSchema })
  const records = sampleRecords(collection)

  async function insert(scope: WorkspaceScope, sample: readonly WhatsAppNumber[]): Promise<void> {
    const others = await numbers.list(scope)
    const hasDefault = others.some(({ isDefault, sample: isSample }) => isDefault && !isSample)
    await records.insert(
      scope,
      sample.map((number) => ({
        _id: number.id,
        displayName: number.displayName,
        phoneNumber: number.phoneNumber,
        ...placeholderIds(scope, number),
        graphUrl: 'https://graph.facebook.com',
        simulated: true,
        status: 'disconnected' as const,
        quality: number.quality,
        nameStatus: number.nameStatus,
        verificationStatus: number.verificationStatus,
        messagingLimit: number.messagingLimit,
        throughputPerSecond: number.throughputPerSecond,
        ...connection.seal(scope, new Secret('not on a simulator yet')),
        isDefault: number.isDefault && !hasDefault,
        stopped: { code: 0, reason: notConnected, at: new Date() },
        checks: numberSteps.map(waiting),
        createdAt: new Date(number.createdAt),
        sample: true as const,
      })),
    )
  }

  /**
   * Puts the numbers on the simulator that are not there yet.
   * @param furnish gives a number what it has had before: it is not in use yet.
   */
  async function connect(
    scope: WorkspaceScope,
    simulator: SimulatorAddresses,
    furnish: (simulatedNumber: { phoneNumberId: string; accountId: string }, numberId: string) => Promise<void>,
  ): Promise<void> {
    const sample = (await numbers.list(scope)).filter((number) => number.sample)
    for (const number of sample) {
      if (number.phonePageUrl !== undefined) continue
      const simulatedNumber = await makeNumber(simulator, {
        name: number.displayName,
        displayNumber: number.phoneNumber,
        quality: qualities[number.quality],
        registered: number.verificationStatus === 'verified',
        limitTier: 'TIER_10K',
        accountId: sampleAccountId(scope),
      })
      await furnish(simulatedNumber, number.id)
      await endpoints.addAppSecret(scope, new Secret(simulatedNumber.appSecret), { simulated: true })
      const { graphUrl, simulated } = simulatedAt(simulator, simulatedNumber.phoneNumberId)
      const changed = await numbers.change(scope, number.id, {
        $set: {
          ...connection.seal(scope, new Secret(simulatedNumber.accessToken)),
          phoneNumberId: simulatedNumber.phoneNumberId,
          connected: simulatedNumber.phoneNumberId,
          graphUrl,
          phonePageUrl: simulated.phonePageUrl,
        },
        $unset: { stopped: '' },
      })
      if (!changed) continue
      await activity.begin(changed)
      await connection.keepChecks(scope, changed, await runChecks(await connection.targetOfRecord(changed)))
    }
  }

  /** @param kept numbers that conversations outside the sample data name: they are the workspace's own now. */
  async function remove(
    scope: WorkspaceScope,
    kept: readonly string[],
    simulator: SimulatorAddresses | undefined,
  ): Promise<void> {
    await records.keep(scope, kept)
    for (const { id, phoneNumberId, phonePageUrl } of (await numbers.list(scope)).filter((number) => number.sample)) {
      await activity.end(scope, id)
      if (simulator && phonePageUrl !== undefined) await discardNumber(simulator, phoneNumberId)
    }
    await records.remove(scope)
    const [first, ...others] = await numbers.list(scope)
    if (first && ![first, ...others].some(({ isDefault }) => isDefault))
      await numbers.change(scope, first.id, { $set: { isDefault: true } })
  }

  return { insert, connect, remove }
}

/** Returns ids of digits that no other workspace has, until the simulator has given the number its own. */
function placeholderIds(scope: WorkspaceScope, { id }: WhatsAppNumber) {
  const digits = sampleDigits(scope, id)
  return { phoneNumberId: digits, connected: digits, businessAccountId: sampleAccountId(scope) }
}

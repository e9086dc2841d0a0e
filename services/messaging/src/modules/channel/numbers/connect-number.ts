import { type NumberStep, numberSteps } from '@parley/contracts/channel/numbers'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Secret, SecretBox } from '@parley/service-kit/core/secret-box'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { HoldLimit } from '../../../platform/limits/hold-limit.ts'
import type { GraphClients } from '../../../whatsapp/graph-clients.ts'
import type { EndpointsService } from '../endpoints/endpoints.service.ts'
import type { NumberActivity } from './number-activity.ts'
import { changeAfter } from './number-after-checks.ts'
import { type CheckTarget, type Findings, runChecks, waiting } from './number-checks.ts'
import { factsOf, unknownFacts } from './number-facts.ts'
import type { Caller, NumberStore } from './number-store.ts'
import type { CheckRecord, NumberRecord } from './numbers.model.ts'
import { maxNumbers, type NewNumberRecord, type NumbersRepository } from './numbers.repository.ts'

const tokenField = 'numbers.accessToken'
/** Steps that must pass before a number is kept at all. */
const firstSteps: readonly NumberStep[] = ['token', 'number', 'details']
const laterSteps = numberSteps.filter((step) => !firstSteps.includes(step))

/** Known data of a number to connect; what WhatsApp reports itself may be left out. */
export interface NumberInput {
  readonly displayName?: string | undefined
  readonly phoneNumber?: string | undefined
  readonly phoneNumberId: string
  readonly businessAccountId: string
  readonly accessToken: Secret
  readonly graphUrl: string
  /** Set for a number on the simulator. */
  readonly simulated?: { readonly phonePageUrl: string } | undefined
}

type Place = Pick<NumberInput, 'phoneNumberId' | 'businessAccountId' | 'accessToken' | 'graphUrl'>

export type NumberConnection = ReturnType<typeof createNumberConnection>

/** Connects numbers, and proves again what a connection consists of. */
export function createNumberConnection({
  numbers,
  store,
  activity,
  endpoints,
  graphs,
  box,
  quota,
  holdLimit,
}: {
  numbers: NumbersRepository
  store: NumberStore
  activity: NumberActivity
  endpoints: Pick<EndpointsService, 'callback' | 'appSecrets'>
  graphs: GraphClients
  box: SecretBox
  quota: {
    readonly planLimits: (scope: WorkspaceScope) => Promise<{ readonly numbers?: number; readonly ended: boolean }>
  }
  holdLimit: HoldLimit
}) {
  const seal = ({ workspaceId }: WorkspaceScope, accessToken: Secret) => ({
    accessToken: box.seal(accessToken, { workspaceId, field: tokenField }),
    tokenLast4: accessToken.reveal().slice(-4),
    tokenSetAt: new Date(),
  })
  const tokenOf = ({ workspaceId, accessToken }: NumberRecord): Secret =>
    box.open(accessToken, { workspaceId, field: tokenField })

  /** Returns the target of the check list; the token may be one that is not stored yet. */
  async function targetOf(
    scope: WorkspaceScope,
    { phoneNumberId, businessAccountId, accessToken, graphUrl }: Place,
  ): Promise<CheckTarget> {
    return {
      graph: graphs.of(graphUrl),
      phoneNumberId,
      businessAccountId,
      accessToken,
      webhook: await endpoints.callback(scope),
      appSecrets: await endpoints.appSecrets(scope),
    }
  }
  const targetOfRecord = (record: NumberRecord): Promise<CheckTarget> =>
    targetOf(record, { ...record, accessToken: tokenOf(record) })

  const accessOf = (number: NumberRecord) => ({
    graph: graphs.of(number.graphUrl),
    businessAccountId: number.businessAccountId,
    accessToken: tokenOf(number),
  })

  /**
   * Connects a number that exists in the account which the token reaches. It is pending until every step has passed.
   * @throws `number_exists`, `plan_limit`, `validation_failed` with WhatsApp's own words beside the field they are about.
   */
  async function connect(caller: Caller, input: NumberInput): Promise<NumberRecord> {
    await refuseTaken(caller, input)
    // The stand-in's numbers reach nobody.
    const limits = input.simulated ? { ended: false } : await quota.planLimits(caller)
    checkRoom(limits, await numbers.list(caller))
    const target = await targetOf(caller, input)
    const { checks, found } = await runChecks(target, firstSteps)
    refuseFailed(checks, found)
    const displayed = `+${(found.atWhatsApp?.display_phone_number ?? '').replace(/\D/g, '')}`
    if (input.phoneNumber !== undefined && displayed !== '+' && displayed !== input.phoneNumber)
      throw errors.validation({ phoneNumber: `WhatsApp says that this phone number ID belongs to ${displayed}.` })
    const phoneNumber = input.phoneNumber ?? displayed
    const { simulated, accessToken, displayName = found.atWhatsApp?.verified_name ?? phoneNumber, ...fields } = input
    const record: NewNumberRecord = {
      ...fields,
      ...seal(caller, accessToken),
      ...(found.atWhatsApp ? factsOf(found.atWhatsApp) : unknownFacts),
      ...(found.tokenEndsAt && { tokenExpiresAt: found.tokenEndsAt }),
      displayName: displayName.slice(0, 60),
      phoneNumber,
      connected: input.phoneNumberId,
      simulated: simulated !== undefined,
      ...(simulated && { phonePageUrl: simulated.phonePageUrl }),
      status: 'pending',
      isDefault: false,
      checks: [...checks, ...laterSteps.map(waiting)],
    }
    const created = await store.transaction((tx) => keep(caller, { record, limits }, tx)).catch(refuseRace)
    await activity.begin(created)
    const later = await runChecks(target, laterSteps)
    return (await keepChecks(caller, created, later)) ?? created
  }

  /** A number that was removed comes back with its conversations. */
  async function keep(
    caller: Caller,
    { record, limits }: { record: NewNumberRecord; limits: NumberLimits },
    tx: Tx,
  ): Promise<NumberRecord> {
    await holdLimit(caller, 'numbers', tx)
    const others = await numbers.list(caller, { session: tx.session })
    if (others.length >= maxNumbers)
      throw errors.wrongState(`A workspace has at most ${maxNumbers} numbers. Remove one first.`)
    checkRoom(limits, others)
    const isDefault = others.length === 0
    const [former] = await numbers.find(caller, [record.phoneNumberId], { session: tx.session })
    if (former?.connected !== undefined) throw connectedMeanwhile()
    const back = { $set: { ...record, isDefault }, $unset: { removedAt: '', stopped: '' } }
    const kept = former
      ? await numbers.change(caller, former.id, back, { session: tx.session })
      : await numbers.create(caller, { ...record, isDefault }, tx)
    if (!kept) throw errors.serviceUnavailable(new Error('a removed number has gone meanwhile'))
    store.emitChange(caller, kept, tx)
    return kept
  }

  async function refuseTaken(scope: WorkspaceScope, { phoneNumberId, phoneNumber, businessAccountId }: NumberInput) {
    const workspaceNumbers = await numbers.list(scope)
    const refuse = (field: string, message: string) => {
      throw new AppError('number_exists', message, { fields: { [field]: message } })
    }
    for (const other of workspaceNumbers) {
      const message = `This is connected already, as ${other.displayName}.`
      if (other.phoneNumberId === phoneNumberId) refuse('phoneNumberId', message)
      if (other.phoneNumber === phoneNumber) refuse('phoneNumber', message)
    }
    if (await numbers.owner(phoneNumberId))
      refuse('phoneNumberId', 'This number is connected in another workspace. Remove it there first.')
    const owner = await numbers.ownerOfAccount(businessAccountId)
    if (owner && owner.workspaceId !== scope.workspaceId)
      refuse('businessAccountId', 'The numbers of this account are connected in another workspace.')
  }

  /**
   * Stores the findings of steps and their consequences for the number as it is then: WhatsApp may have stopped it, or announced
   * a change of it, while they ran. `byPerson`: a member's successful repair lifts the stop.
   * @param asked the number before the steps ran.
   */
  const keepChecks = (
    caller: Caller,
    asked: NumberRecord,
    result: { checks: readonly CheckRecord[]; found: Findings },
    options: { byPerson?: boolean } = {},
  ): Promise<NumberRecord | null> =>
    store.change(caller, asked.id, (record) => changeAfter(record, asked, result, options))

  return { connect, keepChecks, targetOf, targetOfRecord, accessOf, tokenOf, seal }
}

interface NumberLimits {
  readonly numbers?: number
  readonly ended: boolean
}

/** Returns the numbers that a plan counts: those of the sample data and of the stand-in are not. */
export const countReal = (numbers: readonly Pick<NumberRecord, 'simulated' | 'sample'>[]): number =>
  numbers.filter(({ simulated, sample }) => !simulated && !sample).length

/** @throws `plan_limit`. */
function checkRoom({ numbers: limit, ended }: NumberLimits, others: readonly NumberRecord[]): void {
  if (ended) throw new AppError('plan_limit', 'Your trial is over. Choose a plan to connect numbers.')
  if (limit === undefined || countReal(others) < limit) return
  const room = limit === 1 ? '1 number' : `${limit} numbers`
  throw new AppError('plan_limit', `Your plan has room for ${room}. Remove one, or choose a larger plan.`)
}

const fieldOf: Partial<Record<NumberStep, string>> = { token: 'accessToken', number: 'phoneNumberId' }

/** @throws what WhatsApp has said, beside the field that it is about. */
export function refuseFailed(checks: readonly CheckRecord[], { unreachable }: Findings): void {
  const failure = checks.find(({ state }) => state === 'failed')
  if (!failure) return
  if (unreachable) throw new AppError('upstream_failed', failure.message)
  const message = failure.message.endsWith('.') ? failure.message : `${failure.message}.`
  throw errors.validation({ [fieldOf[failure.step] ?? 'phoneNumberId']: `${message} ${failure.advice ?? ''}`.trim() })
}

const connectedMeanwhile = () =>
  new AppError('number_exists', 'This number was connected a moment ago, here or in another workspace.')

function refuseRace(error: unknown): never {
  throw isDuplicateKey(error) ? connectedMeanwhile() : error
}

import type { numbersApi } from '@parley/contracts/channel/number-endpoints'
import type { NewNumber, NumberStep, WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { errors } from '@parley/service-kit/core/errors'
import { Secret } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { z } from 'zod'
import type { Closings } from '../../../platform/closings.model.ts'
import { numberCalls } from '../../../whatsapp/number-calls.ts'
import { type NumberConnection, refuseFailed } from './connect-number.ts'
import type { NumberActivity } from './number-activity.ts'
import type { NumberApprovals } from './number-approvals.ts'
import { runChecks } from './number-checks.ts'
import type { NumberStops } from './number-stops.ts'
import type { Caller, NumberStore } from './number-store.ts'
import type { NumberRecord } from './numbers.model.ts'
import type { NumbersRepository } from './numbers.repository.ts'
import { showNumber } from './show-number.ts'
import { placeOnSimulator, type SimulatorAddresses } from './simulator-calls.ts'

export const metaGraphUrl = 'https://graph.facebook.com'

type Query = z.output<typeof numbersApi.list.query>
type NumberUpdate = z.output<typeof numbersApi.update.body>

export type { NumberRecord } from './numbers.model.ts'
export type NumbersService = ReturnType<typeof createNumbersService>

export function createNumbersService({
  numbers,
  store,
  activity,
  connection,
  stops,
  closings,
  approvals,
}: {
  numbers: NumbersRepository
  store: NumberStore
  activity: NumberActivity
  connection: NumberConnection
  stops: NumberStops
  closings: Pick<Closings, 'ids'>
  approvals: NumberApprovals
}) {
  const { tokenOf } = connection

  async function read(scope: WorkspaceScope, id: string): Promise<NumberRecord> {
    const number = await numbers.read(scope, id)
    if (!number) throw errors.notFound('This number is no longer connected.')
    return number
  }

  async function readToSend(scope: WorkspaceScope, id: string): Promise<NumberRecord | null> {
    const [number, closed] = await Promise.all([numbers.read(scope, id), closings.ids()])
    if (!number || !closed.has(scope.workspaceId)) return number
    return { ...number, stopped: { code: 0, reason: 'This workspace is being deleted.', at: number.updatedAt } }
  }

  /** The numbers of a workspace that match, on one page: there are at most a hundred. */
  async function page(scope: WorkspaceScope, { q = '', status, limit = 100 }: Query) {
    const wanted = q.toLowerCase()
    const matching = (await numbers.list(scope)).filter(
      (number) =>
        (!status || number.status === status) &&
        `${number.displayName} ${number.phoneNumber} ${number.phoneNumberId}`.toLowerCase().includes(wanted),
    )
    const items = await store.show(scope, matching.slice(0, limit))
    return { items, nextCursor: null, previousCursor: null, total: matching.length }
  }

  /** A number that the simulator knows is connected there, any other at WhatsApp. */
  async function connect(
    caller: Caller,
    { accessToken, ...input }: NewNumber,
    simulator: SimulatorAddresses | undefined,
  ): Promise<WhatsAppNumber> {
    const location = (await placeOnSimulator(simulator, input.phoneNumberId)) ?? { graphUrl: metaGraphUrl }
    const asked = { ...input, ...location, accessToken: new Secret(accessToken) }
    return store.showOne(caller, await connection.connect(caller, asked))
  }

  /** Tries steps of the check list again. */
  async function check(
    caller: Caller,
    id: string,
    { steps, pin }: { steps?: readonly NumberStep[] | undefined; pin?: string | undefined },
  ): Promise<WhatsAppNumber> {
    const number = await read(caller, id)
    const target = await connection.targetOfRecord(number)
    const wanted = steps ?? (pin === undefined ? undefined : (['registration'] as const))
    const result = await runChecks({ ...target, pin }, wanted)
    const kept = await connection.keepChecks(caller, number, result, { byPerson: true })
    if (!kept) throw errors.notFound()
    await stops.resume(caller, number, kept)
    return store.showOne(caller, kept)
  }

  /** @throws `validation_failed` for a token that WhatsApp refuses, `stale_version` with the number as it is now. */
  async function update(caller: Caller, id: string, change: NumberUpdate): Promise<WhatsAppNumber> {
    const before = await read(caller, id)
    const around = await (await store.surroundings(caller))(id)
    const toAnswer = (record: NumberRecord) => showNumber(record, around)
    if (before.version !== change.version) throw errors.staleVersion(toAnswer(before))
    const { displayName, isDefault, accessToken, version } = change
    const token = accessToken === undefined ? undefined : await proven(before, new Secret(accessToken))
    const set = { ...(displayName !== undefined && { displayName }), ...(isDefault && { isDefault }), ...token?.sealed }
    const changed = await store.transaction(async (tx) => {
      const record = await numbers.changeVersion(caller, { id, version, update: { $set: set }, toAnswer }, tx)
      if (isDefault) await numbers.noOtherDefault(caller, id, tx)
      store.emitChange(caller, record, tx)
      return record
    })
    if (!token) return toAnswer(changed)
    const resumed = (await connection.keepChecks(caller, changed, token.result, { byPerson: true })) ?? changed
    await stops.resume(caller, before, resumed)
    return toAnswer(resumed)
  }

  async function proven(number: NumberRecord, accessToken: Secret) {
    const target = { ...(await connection.targetOfRecord(number)), accessToken }
    const result = await runChecks(target, ['token', 'number', 'details'])
    refuseFailed(result.checks, result.found)
    return { sealed: connection.seal(number, accessToken), result }
  }

  /** The record stays without its token, so that its conversations can be read. @throws `not_found`, `approval_required`. */
  async function remove(caller: Caller, id: string): Promise<void> {
    const number = await read(caller, id)
    const takeApproval = await approvals.require(caller, id)
    const others = (await numbers.list(caller)).filter((other) => other.id !== id)
    const account = others.some(({ businessAccountId }) => businessAccountId === number.businessAccountId)
    const next = number.isDefault ? (others.find(({ status }) => status === 'active') ?? others[0]) : undefined
    if (!account) {
      // A token that no longer works is no reason to keep the number.
      await connection
        .targetOfRecord(number)
        .then(numberCalls.unsubscribe)
        .catch(() => undefined)
    }
    const gone = {
      $set: { removedAt: new Date(), accessToken: '', status: 'disconnected' as const, isDefault: false },
      $unset: { connected: '', stopped: '' },
    }
    await store.transaction(async (tx) => {
      await takeApproval(tx)
      const removed = await numbers.change(caller, id, gone, { session: tx.session })
      if (removed) store.emitChange(caller, removed, tx)
      const heir =
        next && (await numbers.change(caller, next.id, { $set: { isDefault: true } }, { session: tx.session }))
      if (heir) store.emitChange(caller, heir, tx)
    })
    await activity.end(caller, id)
  }

  /** The ids of numbers by their ids at the platform; of removed ones too, so that what comes late is not lost. */
  async function idsOf(scope: WorkspaceScope, phoneNumberIds: readonly string[]): Promise<Map<string, string>> {
    const found = phoneNumberIds.length > 0 ? await numbers.find(scope, phoneNumberIds) : []
    return new Map(found.map(({ phoneNumberId, id }) => [phoneNumberId, id]))
  }

  /** Returns the id of the number from which new conversations begin. */
  const defaultId = async (scope: WorkspaceScope): Promise<string | undefined> =>
    (await numbers.list(scope)).find(({ isDefault }) => isDefault)?.id

  /** Numbers of the sample data are on no simulator at first. */
  const reachableNumbers = async (scope: WorkspaceScope) =>
    (await numbers.list(scope)).filter((number) => !number.simulated || number.phonePageUrl !== undefined)

  /** The accounts of the numbers that are connected. */
  const accounts = async (scope: WorkspaceScope): Promise<string[]> => [
    ...new Set((await reachableNumbers(scope)).map(({ businessAccountId }) => businessAccountId)),
  ]

  /** Returns how to call the platform for a number; `undefined` for one that is gone. */
  async function access(scope: WorkspaceScope, numberId: string) {
    const number = await numbers.read(scope, numberId)
    return number
      ? { ...connection.accessOf(number), phoneNumberId: number.phoneNumberId, accessToken: tokenOf(number).reveal() }
      : undefined
  }

  /** An account with a token that reaches it, for what belongs to accounts: that of the default number unless one is named. */
  async function accountAccess(scope: WorkspaceScope, accountId?: string) {
    const reachable = await reachableNumbers(scope)
    const number = accountId
      ? reachable.find(({ businessAccountId }) => businessAccountId === accountId)
      : reachable.find(({ isDefault }) => isDefault)
    return number && connection.accessOf(number)
  }

  return {
    page,
    show: async (scope: WorkspaceScope, id: string) => store.showOne(scope, await read(scope, id)),
    connect,
    check,
    update,
    remove,
    stop: stops.stop,
    stopForFailure: stops.stopForFailure,
    idsOf,
    tokenOf,
    defaultId,
    access,
    accountAccess,
    accounts,
    /** A connected number; `null` where it is removed. */
    read: numbers.read,
    /** Reads a number for sending: that of a workspace that is being deleted is stopped. */
    readToSend,
    readMany: numbers.readMany,
    list: numbers.list,
    allIds: numbers.allIds,
  }
}

import { isDeepStrictEqual } from 'node:util'
import {
  type CallTest,
  type Connection,
  type ConnectionUsage,
  type connectionsApi,
  maxConnections,
} from '@parley/contracts/automation/connections'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { foldText } from '@parley/rules/fold-text'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { OutboundError } from '@parley/service-kit/core/outbound-error'
import type { OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId, newId } from '@parley/service-kit/data/plain'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { updateVersion } from '@parley/service-kit/data/versioned'
import type { Platform, Session } from '../../platform/platform.ts'
import type { CallRecord } from './calls.model.ts'
import type { CallsRepository } from './calls.repository.ts'
import { type ConnectionSecrets, withoutSecret } from './connection-secrets.ts'
import { type ConnectionRecord, connectionSchema } from './connections.model.ts'
import type { HostStates } from './host-states.ts'

type Input<K extends 'create' | 'update' | 'test'> = EndpointInput<(typeof connectionsApi)[K]>['body']

/** Tests of one connection that may be on their way at once. */
const maxOpenTests = 5

interface Dependencies extends Pick<Platform, 'transaction'> {
  readonly mongo: ServiceConnection
  readonly calls: CallsRepository
  readonly hosts: HostStates
  readonly secrets: ConnectionSecrets
  readonly http: Pick<OutboundHttp, 'check'>
  /** Returns the flows that use a connection. */
  readonly usedBy: (scope: WorkspaceScope, connectionId: string, options?: Session) => Promise<ConnectionUsage[]>
  /** Has creations in a workspace take turns. */
  readonly hold: (scope: WorkspaceScope, tx: Session) => Promise<void>
  /** Takes turns with publications. */
  readonly raise: (scope: WorkspaceScope, tx: Session) => Promise<void>
  /** Wakes the worker that makes the calls of connections. */
  readonly wake: (scope: WorkspaceScope, connectionId: string) => Promise<void>
}

export type ConnectionRecords = ReturnType<typeof createConnectionRecords>

/** Stores connections. */
export function createConnectionRecords(connection: ServiceConnection) {
  const records = workspaceCollection<ConnectionRecord>({ connection, name: 'connections', schema: connectionSchema })
  return {
    records,
    read: async (scope: WorkspaceScope, id: string) => (isId(id) ? records(scope).findOne({ _id: id }) : null),
    /** Returns the ids of all connections of a workspace. */
    ids: async (scope: WorkspaceScope): Promise<ReadonlySet<string>> =>
      new Set((await records(scope).find({}).select('name').limit(maxConnections).hint('name')).map(({ id }) => id)),
    /** Counts those of some connections that are there, inside a transaction. */
    count: async (scope: WorkspaceScope, ids: readonly string[], { session }: Session): Promise<number> =>
      ids.length === 0 ? 0 : records(scope).countDocuments({ _id: { $in: ids.filter(isId) } }, { session }),
  }
}

/** Connections as people manage them. */
export function createConnections(deps: Dependencies & { readonly stored: ConnectionRecords }) {
  const { stored, calls, hosts, secrets, http, usedBy, hold, raise, wake, transaction } = deps
  const { records } = stored

  async function find(scope: WorkspaceScope, id: string): Promise<ConnectionRecord> {
    const record = await stored.read(scope, id)
    if (!record) throw errors.notFound('This connection has been deleted.')
    return record
  }

  async function list(scope: WorkspaceScope): Promise<{ items: Connection[] }> {
    const [found, closed] = await Promise.all([
      records(scope).find({}).sort({ nameKey: 1 }).limit(maxConnections).hint('name'),
      hosts.closed(scope),
    ])
    return { items: found.map((record) => toConnection(record, closed.get(record.id))) }
  }

  async function read(scope: WorkspaceScope, id: string): Promise<Connection & { usedBy: ConnectionUsage[] }> {
    const record = await find(scope, id)
    const [users, closed] = await Promise.all([usedBy(scope, id), hosts.closed(scope)])
    return { ...toConnection(record, closed.get(id)), usedBy: users }
  }

  /** @throws `connection_exists`, `address_refused`, `limit_reached`. */
  async function create(
    scope: WorkspaceScope,
    { name, baseUrl, authentication, repeatable }: Input<'create'>,
  ): Promise<Connection> {
    const address = await checked(baseUrl)
    const { shown, secret } = withoutSecret(authentication)
    const record = {
      _id: newId(),
      name,
      nameKey: foldText(name),
      baseUrl: address,
      authentication: shown,
      ...(secret !== undefined && { sealed: secrets.seal(scope, secret) }),
      repeatable,
    }
    const created = await transaction(async (tx) => {
      // Two at once would both find room.
      await hold(scope, tx)
      if ((await records(scope).countDocuments({}, { session: tx.session, hint: 'name' })) >= maxConnections)
        throw new AppError(
          'limit_reached',
          `A workspace has at most ${maxConnections} connections. Delete one that nothing uses.`,
        )
      return records(scope).create(record, tx)
    }).catch((error: unknown) => {
      throw isDuplicateKey(error) ? exists(name) : error
    })
    return toConnection(created)
  }

  /** @throws `not_found`, `connection_exists`, `address_refused`, `stale_version`, `validation_failed`. */
  async function update(
    scope: WorkspaceScope,
    id: string,
    { version, name, baseUrl, authentication, repeatable }: Input<'update'>,
  ): Promise<Connection> {
    const before = await find(scope, id)
    const address = baseUrl === undefined || baseUrl === before.baseUrl ? before.baseUrl : await checked(baseUrl)
    const { shown, secret } = withoutSecret(authentication ?? before.authentication)
    // Otherwise a member who may change a connection could send its secret to a host of their own.
    const isSame =
      new URL(address).origin === new URL(before.baseUrl).origin && isDeepStrictEqual(shown, before.authentication)
    if (shown.kind !== 'none' && secret === undefined && !isSame)
      throw errors.validation({ 'authentication.secret': 'Enter the secret again: it is sent to another place.' })
    const changed = await updateVersion(records(scope), {
      id,
      version,
      update: {
        $set: {
          ...(name !== undefined && { name, nameKey: foldText(name) }),
          baseUrl: address,
          authentication: shown,
          ...(secret !== undefined && { sealed: secrets.seal(scope, secret) }),
          ...(repeatable !== undefined && { repeatable }),
        },
        ...(shown.kind === 'none' && { $unset: { sealed: '' } }),
      },
      toAnswer: toConnection,
    }).catch((error: unknown) => {
      throw isDuplicateKey(error) ? exists(name ?? '') : error
    })
    if (!isSame) await hosts.forget(scope, id)
    return toConnection(changed)
  }

  /** @throws `not_found`; `in_use` naming a published flow that uses it. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    await find(scope, id)
    await transaction(async (tx) => {
      await raise(scope, tx)
      const user = (await usedBy(scope, id, tx)).find(({ published }) => published)
      if (user)
        throw new AppError('in_use', `${user.name} uses this connection. Publish it without that step first.`, {
          existing: { id: user.id, name: user.name },
        })
      await records(scope).deleteOne({ _id: id }, tx)
    })
    await hosts.forget(scope, id)
  }

  /** Makes one real call, which a person has asked for. @throws `not_found`, `limit_reached`. */
  async function test(scope: WorkspaceScope, id: string, request: Input<'test'>): Promise<CallTest> {
    await find(scope, id)
    if ((await calls.countOpen(scope, id)) >= maxOpenTests)
      throw new AppError('limit_reached', 'Wait for the tests that are on their way.')
    const { headers, body, timeoutSeconds, ...call } = request
    const callId = await calls.add(scope, {
      key: `test.${newId()}`,
      connectionId: id,
      request: {
        connectionId: id,
        ...call,
        ...(headers && { headers }),
        ...(body?.trim() && request.method !== 'GET' && { body }),
        ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      },
    })
    await wake(scope, id)
    return { id: callId, state: 'waiting' }
  }

  /** @throws `not_found`, also once it was forgotten. */
  async function readTest(scope: WorkspaceScope, id: string, callId: string): Promise<CallTest> {
    const call = isId(id) && isId(callId) ? await calls.readTest(scope, id, callId) : undefined
    if (!call) throw errors.notFound('There is no such test any more.')
    return toTest(call)
  }

  /** @returns the address without a slash at its end. @throws `address_refused`. */
  async function checked(baseUrl: string): Promise<string> {
    const address = (URL.parse(baseUrl)?.href ?? baseUrl).replace(/\/+$/, '')
    try {
      await http.check(address)
    } catch (error) {
      // A name that cannot be looked up at this moment is checked again with each call.
      if (error instanceof OutboundError && error.reason === 'address_refused') {
        const message = `Parley does not call this address: ${error.message}. Use an https address on the public internet.`
        throw new AppError('address_refused', message, { fields: { baseUrl: message } })
      }
    }
    return address
  }

  return { list, read, create, update, remove, test, readTest }
}

const exists = (name: string) =>
  new AppError('connection_exists', `There is a connection ${name} already.`, {
    fields: { name: 'Choose another name.' },
  })

const toConnection = (
  { id, name, baseUrl, authentication, repeatable, createdAt, updatedAt, version }: ConnectionRecord,
  failingUntil?: Date,
): Connection => ({
  id,
  name,
  baseUrl,
  authentication,
  repeatable,
  ...(failingUntil && { failingUntil: failingUntil.toISOString() }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  version,
})

const toTest = ({ id, state, status, code, ms, bytes, answer }: CallRecord): CallTest => ({
  id,
  state,
  ...(status != null && { status }),
  ...(code != null && { code }),
  ...(ms != null && { ms }),
  ...(bytes != null && { bytes }),
  ...(answer != null && { answer }),
})

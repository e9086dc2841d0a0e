import type { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import {
  type ApiKey,
  type ApiKeyChange,
  type IssuedKey,
  type KeyContext,
  type keysInternalApi,
  keyVersionKey,
  maxApiKeys,
  type NewApiKey,
  scopesByNumber,
} from '@parley/contracts/account/api-keys'
import { describePermission } from '@parley/contracts/account/permissions'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { newApiKey } from '@parley/service-kit/core/api-key'
import type { Clock } from '@parley/service-kit/core/clock'
import { areEqualBytes } from '@parley/service-kit/core/equal-bytes'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { Seats } from '../workspaces/seats.ts'
import type { WorkspacesService } from '../workspaces/workspaces.service.ts'
import type { ApiKeyRecord } from './api-keys.model.ts'
import type { ApiKeysRepository } from './api-keys.repository.ts'
import { noticeAfter } from './key-notices.ts'

const dayMs = 24 * 3600_000
const maxTries = 5

type Fields = Pick<ApiKeyRecord, 'name' | 'scopes' | 'numbers' | 'networks'>

/**
 * Keys with which programs of a workspace call the public API. No one gives a key more than they may do themselves.
 * @param deps.announce tells the BFFs, wherever a key is used, that it has changed.
 */
export function createApiKeysService(deps: {
  keys: ApiKeysRepository
  seats: Pick<Seats, 'ensure' | 'addKey'>
  transaction: RunInTransaction
  /** Asks what the plan of a workspace allows. */
  askPlan: (scope: WorkspaceScope) => Promise<{ readonly ended: boolean }>
  stateOf: WorkspacesService['stateOf']
  announce: (redisKey: string, version: number) => Promise<void>
  now?: Clock
}) {
  const { keys, seats, transaction, announce, now = () => new Date() } = deps

  const list = async (scope: WorkspaceScope) => ({ items: (await keys.list(scope)).map(toApiKey) })

  /** @throws `forbidden` for a scope that the member lacks; `limit_reached`; `plan_limit` once the trial is over. */
  async function create(ctx: UserContext, { expiresInDays, numbers = [], networks = [], ...rest }: NewApiKey) {
    const scopes = [...new Set(rest.scopes)]
    checkOwn(ctx, scopes)
    checkEnd(ctx, expiresInDays)
    // Only an end that is known refuses: nobody waits for messaging to make a key.
    const { ended } = await deps.askPlan(ctx).catch(() => ({ ended: false }))
    if (ended) throw new AppError('plan_limit', 'Your trial is over. Choose a plan to make API keys.')
    return issue(ctx, { name: rest.name, scopes, numbers, networks }, expiresInDays)
  }

  async function issue(ctx: UserContext, fields: Fields, days: number | null): Promise<IssuedKey> {
    const { id: publicId, text, hash } = newApiKey()
    const createdAt = now()
    const end = endOf(days, createdAt)
    const record = { ...fields, ...end, publicId, hash, createdBy: ctx.userId, revision: 1, createdAt }
    await seats.ensure(ctx)
    const created = await transaction(async (tx) => {
      await seats.addKey(ctx, tx)
      if ((await keys.count(ctx, tx)) >= maxApiKeys) throw tooManyKeys()
      return keys.create(ctx, { ...record, changedAt: createdAt }, tx)
    })
    return { key: toApiKey(created), secret: text }
  }

  /**
   * @throws `not_found`, `stale_version`; `forbidden` for a scope that the member lacks, also where the key would have it for longer
   * or from more places; `wrong_state` for another end of a key that was replaced.
   */
  async function update(
    ctx: UserContext,
    id: string,
    { version, expiresInDays, ...changes }: ApiKeyChange,
  ): Promise<ApiKey> {
    const current = await read(ctx, id)
    if (current.revision !== version) throw errors.staleVersion(toApiKey(current))
    const { name: _, ...reach } = changes
    const { scopes = current.scopes, numbers = current.numbers } = reach
    if (expiresInDays !== undefined || Object.values(reach).some((value) => value !== undefined)) checkOwn(ctx, scopes)
    if (expiresInDays !== undefined) {
      checkEnd(ctx, expiresInDays)
      if (current.replacedBy !== null) throw errors.wrongState('This key was replaced: its successor has its own end.')
    }
    const beyond = numbers.length > 0 ? scopes.filter((scope) => !scopesByNumber.has(scope)) : []
    if (beyond.length > 0)
      throw errors.validation({ numbers: `A key for some numbers cannot have ${beyond.join(', ')}.` })
    const end = expiresInDays === undefined ? {} : endOf(expiresInDays, now())
    const changed = await keys.change(ctx, current, { ...withoutAbsent(changes), ...end }, now())
    if (!changed) throw errors.staleVersion(toApiKey(await read(ctx, id)))
    await announce(keyVersionKey(id), changed.revision)
    return toApiKey(changed)
  }

  /**
   * A successor with the same permissions, and an end for the key itself.
   * @throws `not_found`; `wrong_state` for a key that was replaced already; `forbidden` for a scope that the member lacks.
   */
  async function rotate(
    ctx: UserContext,
    id: string,
    { overlapHours, expiresInDays }: EndpointInput<typeof apiKeysApi.rotate>['body'],
  ): Promise<IssuedKey> {
    const current = await read(ctx, id)
    if (current.replacedBy !== null) throw errors.wrongState('This key was replaced already. Rotate its successor.')
    checkOwn(ctx, current.scopes)
    checkEnd(ctx, expiresInDays)
    const { name, scopes, numbers, networks } = current
    const issued = await issue(ctx, { name, scopes, numbers, networks }, expiresInDays)
    const at = now()
    const end = new Date(Math.min(current.expiresAt?.getTime() ?? Infinity, at.getTime() + overlapHours * 3600_000))
    const ended = { replacedBy: issued.key.id, expiresAt: end, noticeAt: undefined }
    const changes = { ...ended, ...(overlapHours === 0 && { revokedAt: at }) }
    const replaced = await keys.change(ctx, current, changes, at)
    if (!replaced) {
      // Another member has changed it meanwhile: of two successors one is wanted.
      await revoke(ctx, issued.key.id)
      throw errors.wrongState('This key has just been changed by someone else. Look at it again.')
    }
    await announce(keyVersionKey(id), replaced.revision)
    return issued
  }

  /** @throws `not_found`. */
  async function revoke(scope: WorkspaceScope, id: string): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const current = await read(scope, id)
      const revoked = await keys.change(scope, current, { revokedAt: now(), noticeAt: undefined }, now())
      if (revoked) return announce(keyVersionKey(id), revoked.revision)
    }
    throw errors.serviceUnavailable(new Error('a key changed again and again'))
  }

  async function read(scope: WorkspaceScope, id: string): Promise<ApiKeyRecord> {
    const record = await keys.find(scope, id)
    if (!record) throw errors.notFound('There is no such API key.')
    return record
  }

  /** Returns what a call with a key may do. @throws `not_found` for one that lets no call in, whatever the reason. */
  async function context({ id, hash }: EndpointInput<typeof keysInternalApi.context>['body']): Promise<KeyContext> {
    const record = await keys.byPublicId(id)
    const isRight = record !== null && areEqualBytes(record.hash, hash)
    if (!isRight || record.revokedAt !== null || hasEnded(record)) throw errors.notFound('There is no such key.')
    const { closing, cell } = await deps.stateOf(record)
    if (closing) throw errors.notFound('There is no such key.')
    const { name, workspaceId, scopes, numbers, networks, expiresAt, revision } = record
    return {
      id,
      name,
      workspaceId,
      ...(cell !== undefined && { cell }),
      scopes: [...scopes],
      numbers: [...numbers],
      networks: [...networks],
      expiresAt: expiresAt?.toISOString() ?? null,
      version: revision,
    }
  }

  async function noteUses(items: EndpointInput<typeof keysInternalApi.seen>['body']['items']): Promise<void> {
    for (const { id, at, ip } of items) await keys.noteUse(id, new Date(at), ip)
  }

  const hasEnded = ({ expiresAt }: ApiKeyRecord): boolean => expiresAt !== null && expiresAt <= now()

  return { list, create, update, rotate, revoke, context, noteUses }

  function toApiKey(record: ApiKeyRecord): ApiKey {
    return {
      id: record.publicId,
      prefix: `ply_${record.publicId}`,
      name: record.name,
      scopes: [...record.scopes],
      numbers: [...record.numbers],
      networks: [...record.networks],
      expiresAt: record.expiresAt?.toISOString() ?? null,
      expired: hasEnded(record),
      createdBy: record.createdBy,
      replacedBy: record.replacedBy,
      lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
      lastUsedIp: record.lastUsedIp,
      createdAt: record.createdAt.toISOString(),
      updatedAt: record.changedAt.toISOString(),
      version: record.revision,
    }
  }
}

const withoutAbsent = ({ name, scopes, numbers, networks }: Omit<ApiKeyChange, 'version'>) => ({
  ...(name !== undefined && { name }),
  ...(scopes && { scopes }),
  ...(numbers && { numbers }),
  ...(networks && { networks }),
})

function checkOwn(ctx: UserContext, scopes: ApiKeyRecord['scopes']): void {
  const missing = scopes.find((scope) => !ctx.may(scope))
  if (missing)
    throw errors.forbidden(`You may not ${describePermission(missing)}, so a key of yours cannot have ${missing}.`)
}

/** A key that never expires is for an owner to make. */
function checkEnd(ctx: UserContext, days: number | null): void {
  if (days === null && ctx.role !== 'owner')
    throw errors.forbidden('Only an owner makes keys that never expire. Choose for how long this one is valid.')
}

function endOf(days: number | null, from: Date): Pick<ApiKeyRecord, 'expiresAt' | 'noticeAt'> {
  const expiresAt = days === null ? null : new Date(from.getTime() + days * dayMs)
  return { expiresAt, noticeAt: noticeAfter(expiresAt, from) }
}

const tooManyKeys = () =>
  new AppError('limit_reached', `A workspace can have ${maxApiKeys} API keys. Revoke one that is not in use.`)

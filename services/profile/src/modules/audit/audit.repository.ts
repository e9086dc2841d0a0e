import type { AuditRow } from '@parley/contracts/account/audit'
import { auditEntries } from '@parley/service-kit/data/audit-log'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { auditHeads, storedId } from './audit.model.ts'

export interface AuditFilter {
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly resource?: string | undefined
  readonly outcome?: AuditRow['outcome'] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Place between two entries of a list: time in milliseconds and id. */
export interface AuditPlace {
  readonly at: Date
  readonly id: string
}

export type AuditRepository = ReturnType<typeof createAuditRepository>

export function createAuditRepository(connection: ServiceConnection) {
  const entries = auditEntries(connection)
  const heads = auditHeads(connection)

  const filterOf = ({ workspaceId }: WorkspaceScope, { actor, target, resource, outcome, from, to }: AuditFilter) => {
    const at = { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) }
    return {
      workspaceId: storedId(workspaceId),
      ...(actor && { 'actor.id': actor }),
      ...(target && { 'targets.id': target }),
      ...(resource && { resource }),
      ...(outcome && { outcome }),
      ...(Object.keys(at).length > 0 && { at }),
    }
  }
  /** The index that leaves the fewest: each has the entries in the order of their times. */
  const indexOf = ({ actor, target, resource, outcome }: AuditFilter): string => {
    if (target) return 'target'
    if (outcome && outcome !== 'done') return 'not-done'
    if (actor) return 'actor'
    return resource ? 'resource' : 'newest'
  }

  return {
    /** Newest first. */
    list: (
      scope: WorkspaceScope,
      filter: AuditFilter,
      { limit, after }: { limit: number; after?: AuditPlace | undefined },
    ) => {
      const { at, ...rest } = filterOf(scope, filter)
      const place = after && {
        at: { ...at, $lte: after.at },
        $or: [{ at: { $lt: after.at } }, { _id: { $lt: storedId(after.id) } }],
      }
      return entries
        .find({ ...rest, ...(at && { at }), ...place })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .hint(indexOf(filter))
        .toArray()
    },
    /** Sealed entries in the order of the chain. Text that is no UTF-8 is read all the same: its hash names it. */
    chained: (
      { workspaceId }: WorkspaceScope,
      filter: AuditFilter = {},
      { after, upTo }: { after?: number | undefined; upTo?: number | undefined } = {},
    ) =>
      entries
        .find(
          {
            ...filterOf({ workspaceId }, filter),
            seq: {
              $exists: true,
              ...(after !== undefined && { $gt: after }),
              ...(upTo !== undefined && { $lte: upTo }),
            },
          },
          { enableUtf8Validation: false },
        )
        .sort({ seq: 1 })
        .hint('chain'),
    /** Place of the last sealed entry, 0 where there is none. */
    last: async ({ workspaceId }: WorkspaceScope): Promise<number> => {
      const sealed = { workspaceId: storedId(workspaceId), seq: { $exists: true } }
      return (await entries.findOne(sealed, { sort: { seq: -1 }, hint: 'chain' }))?.seq ?? 0
    },
    hashAt: async ({ workspaceId }: WorkspaceScope, seq: number): Promise<string | undefined> =>
      (await entries.findOne({ workspaceId: storedId(workspaceId), seq }, { hint: 'chain' }))?.hash,
    head: ({ workspaceId }: WorkspaceScope) => heads.findOne({ _id: storedId(workspaceId) }),
    workspaceIds: async (): Promise<string[]> => {
      const found = await heads.find().project({ _id: 1 }).toArray()
      return found.map(({ _id }) => String(_id))
    },
    /** Ends of all chains. */
    anchors: async function* (): AsyncGenerator<{ workspaceId: string; seq: number; hash: string }> {
      for await (const { _id, seq, hash } of heads.find()) yield { workspaceId: _id.toHexString(), seq, hash }
    },
    /** Stores entries of another service; those that are there already stay as they are. */
    insert: async ({ workspaceId }: WorkspaceScope, rows: readonly AuditRow[]): Promise<void> => {
      const stored = rows.map(({ id, at, ...row }) => ({
        ...row,
        _id: storedId(id),
        workspaceId: storedId(workspaceId),
        at: new Date(at),
        fresh: true as const,
      }))
      await entries.insertMany(stored, { ordered: false, ignoreUndefined: true }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
    },
    /** Erases address and device of what a person has done; the chain holds their digest only. @returns how many. */
    erasePersonal: async ({ workspaceId }: WorkspaceScope, actorId: string): Promise<number> => {
      const own = { workspaceId: storedId(workspaceId), 'actor.id': actorId, personal: { $exists: true } }
      const { modifiedCount } = await entries.updateMany(own, { $unset: { personal: '' } }, { hint: 'actor' })
      return modifiedCount
    },
  }
}

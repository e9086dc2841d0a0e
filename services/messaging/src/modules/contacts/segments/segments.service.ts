import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import {
  builtInSegments,
  maxSegments,
  type NewSegment,
  type Segment,
  type segmentsApi,
} from '@parley/contracts/contacts/segments'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { describeConditions } from '@parley/rules/describe-conditions'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type Caused, causeOf } from '@parley/service-kit/http/context'
import type { HoldLimit } from '../../../platform/limits/hold-limit.ts'
import { withTagRenamed } from '../../../platform/renamed-tag.ts'
import type { AttributesService } from '../attributes/attributes.service.ts'
import type { ContactCountsService } from '../contact-counts.service.ts'
import type { Caller } from '../contact-store.ts'
import type { SegmentRecord } from './segments.model.ts'
import type { SegmentsRepository } from './segments.repository.ts'

type Changes = EndpointInput<typeof segmentsApi.update>['body']

export type SegmentsService = ReturnType<typeof createSegmentsService>

/** Saved filters over contacts. */
export function createSegmentsService({
  segments,
  counts,
  attributes: { labels },
  holdLimit,
  transaction,
}: {
  segments: SegmentsRepository
  counts: Pick<ContactCountsService, 'ofSegments'>
  /** Labels of the workspace's own fields. */
  attributes: Pick<AttributesService, 'labels'>
  holdLimit: HoldLimit
  transaction: RunInTransaction
}) {
  async function list(scope: WorkspaceScope): Promise<Segment[]> {
    const [records, labelOf] = await Promise.all([segments.list(scope), labels(scope)])
    const listed = [...builtInSegments, ...records.map((record) => toSegment(record, labelOf))]
    const countOf = await counts.ofSegments(scope, listed)
    return listed.map((segment) => ({ ...segment, count: countOf(segment) }))
  }

  /** @throws `segment_exists`, `too_many_segments`. */
  async function create(ctx: Caller, fields: NewSegment): Promise<Segment> {
    const id = newId(ctx)
    const earlier = ctx.intent && (await segments.read(ctx, id))
    if (earlier) return counted(ctx, earlier)
    const made = transaction(async (tx) => {
      await holdLimit(ctx, 'segments', tx)
      if ((await segments.size(ctx, tx)) >= maxSegments)
        throw new AppError('too_many_segments', `A workspace has at most ${maxSegments} segments. Delete one first.`)
      const record = await segments.create(ctx, { ...fields, _id: id }, tx)
      emitChange(ctx, record.id, tx)
      return record
    })
    return counted(ctx, await made.catch(refuseTaken(fields.name)))
  }

  /** @throws `not_found`, `segment_exists`, `stale_version`. */
  async function update(ctx: Caller, id: string, { version, name, filter }: Changes): Promise<Segment> {
    if (!isId(id)) throw noSuchSegment()
    const fields = { ...(name !== undefined && { name }), ...(filter !== undefined && { filter }) }
    const labelOf = await labels(ctx)
    const toAnswer = (record: SegmentRecord) => ({ ...toSegment(record, labelOf), count: null })
    const changed = transaction(async (tx) => {
      const record = await segments.update(ctx, { id, version, fields, toAnswer }, tx)
      emitChange(ctx, id, tx)
      return record
    })
    return counted(ctx, await changed.catch(refuseTaken(name)))
  }

  /** @throws `not_found`. */
  async function remove(ctx: Caller, id: string): Promise<void> {
    if (!isId(id)) throw noSuchSegment()
    await transaction(async (tx) => {
      if (!(await segments.remove(ctx, id, tx))) throw noSuchSegment()
      emitChange(ctx, id, tx)
    })
  }

  /** Writes another name of a tag into the conditions that name it; `only` of these segments. @returns the ids of those. */
  async function renameTag(
    ctx: WorkspaceScope & Caused,
    { tag, to, only }: { tag: string; to: string; only?: readonly string[] | undefined },
    tx: Tx,
  ): Promise<string[]> {
    const renamed: string[] = []
    for (const record of await segments.list(ctx, tx)) {
      const filter = withTagRenamed(record.filter, tag, to)
      if (!filter || (only && !only.includes(record.id))) continue
      const { id, version } = record
      await segments.update(ctx, { id, version, fields: { filter }, toAnswer: (current) => current.id }, tx)
      emitChange(ctx, id, tx)
      renamed.push(id)
    }
    return renamed
  }

  async function counted(scope: WorkspaceScope, record: SegmentRecord): Promise<Segment> {
    const segment = toSegment(record, await labels(scope))
    return { ...segment, count: (await counts.ofSegments(scope, [segment]))(segment) }
  }

  /** A segment, also a built-in one. @throws `not_found`. */
  async function find(scope: WorkspaceScope, id: string): Promise<{ name: string; filter: ConditionGroup }> {
    const builtIn = builtInSegments.find((segment) => segment.id === id)
    const segment = builtIn ?? (isId(id) ? await segments.read(scope, id) : null)
    if (!segment) throw noSuchSegment()
    return segment
  }

  return {
    list,
    namesOf: segmentNamesIn(segments),
    create,
    update,
    remove,
    find,
    renameTag,
    labels,
    /** The conditions of a segment. @throws `not_found`. */
    filterOf: async (scope: WorkspaceScope, id: string) => (await find(scope, id)).filter,
  }
}

/** Names of some segments; those that are gone are not among them. */
const segmentNamesIn =
  (segments: Pick<SegmentsRepository, 'list'>) =>
  async (scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, string>> => {
    const savedSegments = ids.some(isId) ? await segments.list(scope) : []
    return new Map(
      [...builtInSegments, ...savedSegments].filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]),
    )
  }

const emitChange = (ctx: WorkspaceScope & Caused, segmentId: string, tx: Pick<Tx, 'emit'>): void =>
  tx.emit({ workspaceId: ctx.workspaceId, type: 'segment.changed', by: causeOf(ctx), data: { segmentId } })

const noSuchSegment = () => errors.notFound('There is no such segment.')

const refuseTaken = (name: string | undefined) => (error: unknown) => {
  if (!isDuplicateKey(error)) throw error
  const message = `There is a segment named ${name} already.`
  throw new AppError('segment_exists', message, { fields: { name: message } })
}

type LabelOf = Parameters<typeof describeConditions>[1]

const toSegment = ({ id, name, filter, version }: SegmentRecord, labelOf: LabelOf) => ({
  id,
  name,
  filter,
  version,
  description: describeConditions(filter, labelOf),
})

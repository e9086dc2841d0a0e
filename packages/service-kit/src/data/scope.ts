import type { PipelineStage } from 'mongoose'

/** Field values that every record of a scope has. */
export type ScopeFilter = Readonly<Record<string, string>>

/** @throws where a value is missing: a filter without it would match every scope. */
export function assertComplete(scope: ScopeFilter): ScopeFilter {
  const values = Object.values(scope)
  if (values.length === 0 || values.some((value) => typeof value !== 'string' || value === ''))
    throw new Error(`a scope lacks a value: ${Object.keys(scope).join(', ')}`)
  return scope
}

/** Fields that no caller may write: the scope's, the id, and the version, which every write raises by one. */
interface Fixed {
  readonly fields: ReadonlySet<string>
  readonly versioned: boolean
}

/**
 * An update that keeps to its scope and raises the version.
 * @throws where it would write a fixed field, or uses an operator or stage by which it could.
 */
export function scopeUpdate(update: object, fixed: Fixed): object {
  return Array.isArray(update) ? scopeStages(update, fixed) : scopeOperators(update, fixed)
}

function scopeOperators(update: object, { fields, versioned }: Fixed): object {
  for (const [operator, changes] of Object.entries(update)) {
    if (!operator.startsWith('$')) throw new Error(`an update needs an operator for ${operator}`)
    const targets: unknown[] = operator === '$rename' ? Object.values(changes ?? {}) : []
    for (const path of [...Object.keys(changes ?? {}), ...targets]) refuseFixed(path, fields)
  }
  if (!versioned) return update
  const increments = '$inc' in update ? update.$inc : undefined
  return { ...update, $inc: { ...Object(increments), version: 1 } }
}

function scopeStages(stages: readonly object[], { fields, versioned }: Fixed): object[] {
  for (const stage of stages) {
    const [[name, change] = ['', {}], ...others] = Object.entries(stage)
    if (others.length > 0 || !['$set', '$addFields', '$unset'].includes(name))
      throw new Error(`an update pipeline may not use ${Object.keys(stage).join(', ')}`)
    const paths = name === '$unset' ? [change].flat() : Object.keys(change)
    for (const path of paths) refuseFixed(path, fields)
  }
  const raise = { $set: { version: { $add: [{ $ifNull: ['$version', 0] }, 1] } } }
  return versioned ? [...stages, raise] : [...stages]
}

function refuseFixed(path: unknown, fields: ReadonlySet<string>): void {
  const field = String(path).split('.')[0] ?? ''
  if (fields.has(field)) throw new Error(`an update may not write ${field}`)
}

const harmlessStages = new Set(
  '$match $project $set $addFields $unset $sort $limit $skip $group $count $unwind $sortByCount $bucket $bucketAuto'
    .concat(' $replaceRoot $replaceWith $sample $setWindowFields $redact $densify $fill')
    .split(' '),
)

/**
 * A pipeline that begins with the scope's filter, inside `$lookup` and `$unionWith` too.
 * @param scope cast to what is stored.
 * @throws on stages that write, or that read outside the scope.
 */
export function scopePipeline(pipeline: readonly object[], scope: Record<string, unknown>): PipelineStage[] {
  return [{ $match: scope }, ...pipeline.map((stage) => scopeStage(stage, scope))] as PipelineStage[]
}

function scopeStage(stage: object, scope: Record<string, unknown>): object {
  const [[name, value] = ['', undefined], ...others] = Object.entries(stage)
  if (others.length > 0) throw new Error('a stage of a pipeline has one name')
  if (harmlessStages.has(name)) return stage
  if (name === '$facet') {
    const branches = Object.entries(value).map(([key, branch]) => [
      key,
      stagesOf(branch).map((s) => scopeStage(s, scope)),
    ])
    return { $facet: Object.fromEntries(branches) }
  }
  if (name === '$lookup' && typeof value.from === 'string')
    return { $lookup: { ...value, pipeline: scopePipeline(stagesOf(value.pipeline), scope) } }
  if (name === '$unionWith') {
    const { coll, pipeline } = typeof value === 'string' ? { coll: value, pipeline: [] } : value
    if (typeof coll === 'string') return { $unionWith: { coll, pipeline: scopePipeline(stagesOf(pipeline), scope) } }
  }
  throw new Error(`a pipeline may not use ${name}`)
}

const stagesOf = (pipeline: unknown): object[] => (Array.isArray(pipeline) ? pipeline : [])

import type { SortBy } from './collection-types.ts'
import type { PageStart, SortKey } from './page-cursor.ts'

/** One order of a list: by a field, then by id. */
export interface ListSort<T> {
  /** Name of the index that holds the scope, the field and `_id`, in this order: it is used unless the list names another. */
  readonly index: string
  readonly field: keyof Omit<T, 'id'> | '_id' | `${string}.${string}`
  readonly direction: 1 | -1
}

export type Position = NonNullable<PageStart['position']>

export function positionOf<T extends { readonly id: string }>(record: T, { field }: ListSort<T>) {
  const key: unknown = field === '_id' ? record.id : valueAt(record, String(field))
  return { key: (key ?? null) as SortKey, id: record.id }
}

const valueAt = (record: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value == null ? undefined : Reflect.get(Object(value), name)), record)

export function orderOf<T>({ direction, field }: ListSort<T>, start: PageStart): { ascending: boolean; by: SortBy } {
  const ascending = (direction === 1) === (start.direction === 'next')
  return { ascending, by: { [field]: ascending ? 1 : -1, ...(field !== '_id' && { _id: ascending ? 1 : -1 }) } }
}

/**
 * The ranges behind a position. A comparison never matches `null`, so the records without a value are a range of their own:
 * before all others ascending, behind them descending. The records of the same key up to the position are taken out by `$nor`:
 * with `$or` the planner may choose another index for each branch.
 * @param position null: from the beginning, also in ranges.
 */
export function rangesFrom(field: string, position: Position | null | undefined, ascending: boolean): object[] {
  if (position === undefined || (position === null && field === '_id')) return [{}]
  if (position === null) {
    const [without, others] = [{ [field]: null }, { [field]: { $ne: null } }]
    return ascending ? [without, others] : [others, without]
  }
  const { key, id } = position
  const beyond = ascending ? '$gt' : '$lt'
  if (field === '_id') return [{ _id: { [beyond]: id } }]
  const nulls = { [field]: null }
  if (key === null) {
    const rest = { ...nulls, _id: { [beyond]: id } }
    return ascending ? [rest, { [field]: { $ne: null } }] : [rest]
  }
  const range = {
    [field]: { [`${beyond}e`]: key },
    $nor: [{ [field]: key, _id: { [ascending ? '$lte' : '$gte']: id } }],
  }
  return ascending ? [range] : [range, nulls]
}

/** Returns the filter of the records of a range that do not come behind a position. */
export function upTo(field: string, { key, id }: Position, ascending: boolean): object {
  const notBeyond = { [ascending ? '$lte' : '$gte']: id }
  if (field === '_id') return { _id: notBeyond }
  if (key === null) return { [field]: null, _id: notBeyond }
  return {
    [field]: { [ascending ? '$lte' : '$gte']: key },
    $nor: [{ [field]: key, _id: { [ascending ? '$gt' : '$lt']: id } }],
  }
}

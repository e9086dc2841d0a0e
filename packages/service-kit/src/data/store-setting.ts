import { isDuplicateKey } from './mongo.ts'

/** Records of one workspace, with a `version` each: a scoped collection. */
interface Settings<T, N> {
  create(record: N): Promise<T>
  findOneAndUpdate(filter: { version: number }, update: { $set: object }): Promise<T | null>
}

/**
 * Stores the one record that a workspace has of a setting, for which a unique index stands: version 0 creates it, any other changes
 * it if that is the version that was seen. Not for a transaction, which a lost race would end.
 * @param changes fields of a change, where they are not all of `setting`.
 * @returns `null` where another change came first.
 */
export async function storeSetting<T, N extends object>(
  records: Settings<T, N>,
  version: number,
  setting: N,
  changes: object = setting,
): Promise<T | null> {
  if (version !== 0) return records.findOneAndUpdate({ version }, { $set: changes })
  try {
    return await records.create(setting)
  } catch (error) {
    if (isDuplicateKey(error)) return null
    throw error
  }
}

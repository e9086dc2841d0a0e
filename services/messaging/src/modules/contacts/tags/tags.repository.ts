import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type TagRecord, tagSchema } from './tags.model.ts'

/** Maximum tags that a list shows. */
const maxTags = 1000

export type TagsRepository = ReturnType<typeof createTagsRepository>

export function createTagsRepository(connection: ServiceConnection) {
  const tags = workspaceCollection<TagRecord>({ connection, name: 'tags', schema: tagSchema })

  /** Makes those that do not exist yet; not inside a transaction, since two people may use the same new tag at once. */
  async function ensure(
    scope: WorkspaceScope,
    names: readonly string[],
    colour: TagRecord['colour'] = 'grey',
  ): Promise<void> {
    if (names.length === 0) return
    const known = await tags(scope)
      .find({ name: { $in: names } })
      .hint('name')
    const missing = new Set(names)
    for (const { name } of known) missing.delete(name)
    if (missing.size === 0) return
    const records = [...missing].map((name) => ({ name, colour }))
    await tags(scope)
      .insertMany(records, { ordered: false })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
  }

  /** Makes a tag unless it exists, of the colour of another one. */
  async function ensureLike(scope: WorkspaceScope, name: string, other: string): Promise<void> {
    await ensure(scope, [name], (await tags(scope).findOne({ name: other }, { hint: 'name' }))?.colour)
  }

  return {
    ensure,
    ensureLike,
    colour: async (
      scope: WorkspaceScope,
      name: string,
      colour: TagRecord['colour'],
      { session }: Pick<Tx, 'session'>,
    ): Promise<boolean> =>
      (await tags(scope).updateOne({ name }, { $set: { colour } }, { session })).matchedCount === 1,
    /** The names that one of the patterns matches. */
    named: async (scope: WorkspaceScope, patterns: readonly RegExp[]): Promise<string[]> => {
      const found = await tags(scope)
        .find({ name: { $in: patterns } })
        .hint('name')
      return found.map(({ name }) => name)
    },
    list: (scope: WorkspaceScope): PromiseLike<TagRecord[]> =>
      tags(scope).find({}).sort({ _id: 1 }).limit(maxTags).hint('oldest'),
  }
}

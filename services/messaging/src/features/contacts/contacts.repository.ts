import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ContactRecord, contactSchema } from './contacts.model.ts'

/** Who wrote, as a webhook tells it. */
export interface SeenPerson {
  readonly phone: string | undefined
  readonly waUserId: string | undefined
  readonly name: string | undefined
  readonly username: string | undefined
}
export type ContactsRepository = ReturnType<typeof createContactsRepository>

export function createContactsRepository(connection: ServiceConnection) {
  const contacts = workspaceCollection<ContactRecord>({ connection, name: 'contacts', schema: contactSchema })

  /** Everybody who is known by one of these identities. */
  async function findBy(scope: WorkspaceScope, people: readonly SeenPerson[]): Promise<ContactRecord[]> {
    const userIds = people.flatMap(({ waUserId }) => waUserId ?? [])
    const phones = people.flatMap(({ phone }) => phone ?? [])
    // One query for each index: a disjunction of pairs cannot use them.
    const [byUserId, byPhone] = await Promise.all([
      userIds.length > 0
        ? contacts(scope)
            .find({ waUserId: { $in: userIds } })
            .hint('user-id')
        : [],
      phones.length > 0
        ? contacts(scope)
            .find({ phone: { $in: phones } })
            .hint('phone')
        : [],
    ])
    return [...byUserId, ...byPhone]
  }

  /** Creates those who are not known yet. Safe to race: whoever loses finds the winner's record at the next read. */
  async function createMissing(scope: WorkspaceScope, people: readonly SeenPerson[]): Promise<void> {
    const records = people.map(({ phone, waUserId, name, username }) => ({
      name: name || phone || username || 'Customer',
      ...(phone !== undefined && { phone }),
      ...(waUserId !== undefined && { waUserId }),
      ...(username !== undefined && { username }),
      tags: [],
      source: 'inbound' as const,
      blocked: false,
    }))
    await contacts(scope)
      .insertMany(records, { ordered: false })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
  }

  const ignoreDuplicate = (error: unknown) => {
    // Two records turn out to be one person: merging them is for people to decide.
    if (!isDuplicateKey(error)) throw error
  }

  return {
    /** Another identity in the place of one, where that one is still there. */
    replaceIdentity: (scope: WorkspaceScope, field: 'phone' | 'waUserId', previous: string, current: string) =>
      contacts(scope)
        .updateOne({ [field]: previous }, { $set: { [field]: current } })
        .catch(ignoreDuplicate),
    /** The newest choice counts. */
    noteMarketing: (scope: WorkspaceScope, id: string, optIn: NonNullable<ContactRecord['optIn']>) =>
      contacts(scope).updateOne(
        { _id: id, $or: [{ 'optIn.at': { $exists: false } }, { 'optIn.at': { $lt: optIn.at } }] },
        { $set: { optIn } },
      ),
    findBy,
    createMissing,
    read: (scope: WorkspaceScope, id: string) => contacts(scope).findOne({ _id: id }),
    readMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<ContactRecord[]> =>
      contacts(scope).find({ _id: { $in: ids } }),
    /** The platform has told the second identity of somebody who was known by one. */
    addIdentity: (scope: WorkspaceScope, id: string, identity: { phone?: string; waUserId?: string }) =>
      contacts(scope).updateOne({ _id: id }, { $set: identity }).catch(ignoreDuplicate),
  }
}

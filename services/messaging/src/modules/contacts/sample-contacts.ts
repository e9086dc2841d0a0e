import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Tag } from '@parley/contracts/contacts/tags'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../platform/sample-records.ts'
import { newContactFields, searchKeys, toAttributes } from './contact-fields.ts'
import { type ContactRecord, contactSchema } from './contacts.model.ts'
import { type TagRecord, tagSchema } from './tags/tags.model.ts'

/** Contacts and tags of the sample data. */
export function createSampleContacts(connection: ServiceConnection) {
  const contacts = workspaceCollection<ContactRecord>({ connection, name: 'contacts', schema: contactSchema })
  const tags = workspaceCollection<TagRecord>({ connection, name: 'tags', schema: tagSchema })
  const [records, tagRecords] = [sampleRecords(contacts), sampleRecords(tags)]

  async function insert(scope: WorkspaceScope, sample: readonly Contact[], used: readonly Tag[]): Promise<void> {
    await tagRecords.insert(
      scope,
      used.map(({ name, colour }) => ({ name, colour, sample: true })),
    )
    await records.insert(scope, sample.map(recordOf))
  }

  /** Tags that the workspace's own contacts carry stay. */
  async function remove(scope: WorkspaceScope): Promise<void> {
    await records.remove(scope)
    const stillUsed: string[] = []
    for (const tag of await tags(scope).find({ sample: true }).hint('sample'))
      if ((await contacts(scope).countDocuments({ tags: tag.name }, { limit: 1 })) > 0) stillUsed.push(tag.id)
    await tagRecords.keep(scope, stillUsed)
    await tagRecords.remove(scope)
  }

  return {
    insert,
    remove,
    keep: records.keep,
    ids: records.ids,
    areThereOthers: async (scope: WorkspaceScope): Promise<boolean> =>
      (await contacts(scope).countDocuments({}, { limit: 1 })) > 0,
  }
}

const recordOf = ({ id: _id, name, phone, tags, attributes, optIn, lastContactAt, ...contact }: Contact) => ({
  ...newContactFields(contact.source),
  _id,
  name,
  ...(phone !== undefined && { phone }),
  tags,
  attributes: toAttributes(attributes),
  ...searchKeys({ name, phone, tags }),
  optIn: { ...optIn, at: optIn.at === null ? undefined : new Date(optIn.at) },
  ...(lastContactAt !== null && { lastContactAt: new Date(lastContactAt) }),
  blocked: contact.blocked,
  createdAt: new Date(contact.createdAt),
  sample: true as const,
})

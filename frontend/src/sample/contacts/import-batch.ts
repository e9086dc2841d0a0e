import type { Contact, contactsApi, ImportResult, NewContact, newContactSchema } from '@parley/contracts/contacts'
import type { EndpointInput } from '@parley/contracts/endpoint'
import type { Story } from '@parley/sample/story'
import { insert, touch } from './store.ts'

type Batch = EndpointInput<typeof contactsApi.importRows>['body']
type Row = ImportResult['rows'][number]

/** Adds or updates contacts from rows, each by itself: one that is wrong keeps no other from being imported. */
export function importBatch(
  story: Story,
  { dryRun, onDuplicate, rows }: Batch,
  schema: typeof newContactSchema,
): Row[] {
  const owners = ownersOf(story, new Set(rows.map(({ phone }) => phone)))
  return rows.map(({ line, ...fields }): Row => {
    const { data, error } = schema.safeParse(fields)
    if (!data) return { line, outcome: 'invalid', message: error.issues[0]?.message.slice(0, 300) ?? 'Not valid' }
    const owner = owners.get(data.phone)
    if (owner) return { line, ...updateOwner(owner, data, { dryRun, onDuplicate }), ...(!dryRun && { id: owner.id }) }
    if (dryRun) return { line, outcome: 'created' }
    const contact = insert(story, data, 'import')
    owners.set(data.phone, contact)
    return { line, outcome: 'created', id: contact.id }
  })
}

/** One run through the contacts for the whole batch. */
function ownersOf(story: Story, phones: ReadonlySet<string>): Map<string, Contact> {
  const owners = new Map<string, Contact>()
  for (const contact of story.contacts.values())
    if (contact.phone && phones.has(contact.phone)) owners.set(contact.phone, contact)
  return owners
}

/** An update replaces the name, adds tags and attributes, and takes nothing away. */
function updateOwner(
  owner: Contact,
  { name, tags, attributes }: NewContact,
  { dryRun, onDuplicate }: Pick<Batch, 'dryRun' | 'onDuplicate'>,
): Pick<Row, 'outcome' | 'message'> {
  if (onDuplicate === 'skip') return { outcome: 'skipped', message: `${owner.name} already has this phone number.` }
  const merged = [...new Set([...owner.tags, ...tags])].slice(0, 50)
  const isNews =
    name !== owner.name ||
    merged.length !== owner.tags.length ||
    Object.entries(attributes).some(([key, value]) => owner.attributes[key] !== value)
  if (!isNews) return { outcome: 'skipped', message: 'Already up to date.' }
  if (!dryRun) touch(Object.assign(owner, { name, tags: merged, attributes: { ...owner.attributes, ...attributes } }))
  return { outcome: 'updated' }
}

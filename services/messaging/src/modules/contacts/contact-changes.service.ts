import type { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import type { Contact, NewContact } from '@parley/contracts/contacts/contacts'
import { maxTags } from '@parley/contracts/contacts/tags'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { memberIdOf } from '@parley/service-kit/http/context'
import type { AttributesService } from './attributes/attributes.service.ts'
import { backOptedOut, type ListConsent, suppressedCategories, thisSecond } from './consent/list-consent.ts'
import { attributesOf, newContactFields, searchKeys, toAttributes, toContact } from './contact-fields.ts'
import type { Author, Caller, ContactStore } from './contact-store.ts'
import { type ContactRecord, restorableMs } from './contacts.model.ts'
import type { ContactsRepository, NewContactRecord } from './contacts.repository.ts'
import { changedIdentity, createIdentityChanges, identityOf } from './identity-changes.ts'
import type { SelectionApprovals } from './jobs/selection-approvals.ts'
import type { TagsRepository } from './tags/tags.repository.ts'

type Changes = EndpointInput<typeof contactsApi.update>['body']
type BulkRequest = EndpointInput<typeof contactsApi.bulk>['body']

/** Contacts changed at once. */
const batchSize = 250

interface Dependencies {
  readonly contacts: ContactsRepository
  readonly tags: TagsRepository
  readonly attributes: Pick<AttributesService, 'checked'>
  readonly store: ContactStore
  readonly consent: Pick<ListConsent, 'add' | 'suppressions'>
  readonly transaction: RunInTransaction
  readonly approve: SelectionApprovals['require']
}

export type ContactChangesService = ReturnType<typeof createContactChangesService>

/** Implements members' actions on contacts. */
export function createContactChangesService({
  contacts,
  tags,
  attributes: definitions,
  store,
  consent,
  transaction,
  approve,
}: Dependencies) {
  const { withConsent, giveUp, deletedOwners } = createIdentityChanges({ contacts, store, consent })

  /**
   * Adds a contact. One that was deleted comes back with these fields: conversations and consent stay what they were.
   * @throws `contact_exists`, `validation_failed` for values that do not fit their field.
   */
  async function create(ctx: Author, { name, tags: names, ...input }: NewContact): Promise<Contact> {
    const earlier = ctx.intent && (await contacts.readLive(ctx, newId(ctx)))
    if (earlier) return toContact(earlier)
    const identity = identityOf(input)
    const attributes = toAttributes(await definitions.checked(ctx, input.attributes))
    const typed = { name, ...identity, tags: names, attributes }
    await tags.ensure(ctx, names)
    return onceMoreIfTaken(() =>
      transaction(async (tx) => {
        const [owner, ...others] = await deletedOwners(ctx, identity, tx)
        await giveUp(ctx, others, identity, tx)
        const [record] = owner
          ? await store.save(
              ctx,
              [{ record: owner, fields: { ...typed, ...(await withConsent(ctx, owner, identity, tx)) }, live: true }],
              tx,
            )
          : [
              await add(
                ctx,
                { ...newContactFields('manual'), addedBy: memberIdOf(ctx), ...typed, ...searchKeys(typed) },
                tx,
              ),
            ]
        if (!record) throw errors.internal()
        return toContact(record)
      }),
    )
  }

  /** A contact who had opted out, and was deleted for good, is still opted out. */
  async function add(ctx: Author, fields: NewContactRecord, tx: Tx): Promise<ContactRecord | undefined> {
    const isSuppressed = await consent.suppressions(ctx, [fields], tx.session)
    const at = thisSecond()
    const before = backOptedOut(suppressedCategories(fields, isSuppressed), { at, key: newId() })
    const [record] = await store.insert(ctx, [{ _id: newId(ctx), ...fields, ...before.fields }], tx)
    if (!record) return undefined
    const entries = before.entries.map((entry) => ({ ...entry, contactId: record.id, who: record }))
    await consent.add(ctx, entries, [], tx)
    return record
  }

  /**
   * @throws `not_found`, `contact_exists`, `validation_failed` for values that do not fit their field, `stale_version` where
   * another person has changed the contact meanwhile.
   */
  async function update(ctx: Caller, id: string, { version, ...changes }: Changes): Promise<Contact> {
    const { name, tags: names, attributes } = changes
    const identity = identityOf(changes)
    await tags.ensure(ctx, names ?? [])
    const fields = {
      ...(name !== undefined && { name }),
      ...identity,
      ...(names !== undefined && { tags: names }),
    }
    return onceMoreIfTaken(() =>
      transaction(async (tx) => {
        const record = await readLive(ctx, id, tx)
        if (version < record.editedVersion || version > record.version) throw errors.staleVersion(toContact(record))
        await giveUp(ctx, await deletedOwners(ctx, changedIdentity(record, identity), tx, id), identity, tx)
        const all = { ...fields, ...(await withConsent(ctx, record, identity, tx)) }
        if (!attributes) return saveOne(ctx, record, all, tx)
        const checked = await definitions.checked(ctx, attributes, attributesOf(record))
        return saveOne(ctx, record, { ...all, attributes: toAttributes(checked) }, tx)
      }),
    )
  }

  async function readLive(ctx: Caller, id: string, tx: Tx): Promise<ContactRecord> {
    const record = await contacts.readLive(ctx, id, tx)
    if (!record) throw errors.notFound('There is no such contact.')
    return record
  }

  async function saveOne(ctx: Caller, record: ContactRecord, fields: Partial<ContactRecord>, tx: Tx): Promise<Contact> {
    const [saved] = await store.save(ctx, [{ record, fields }], tx)
    return toContact(saved ?? record)
  }

  async function changeTag(ctx: Caller, id: string, tag: string, adds: boolean): Promise<Contact> {
    if (adds) await tags.ensure(ctx, [tag])
    return transaction(async (tx) => {
      const record = await readLive(ctx, id, tx)
      if (record.tags.includes(tag) === adds) return toContact(record)
      if (adds && record.tags.length >= maxTags)
        throw errors.validation({ tag: `A contact carries at most ${maxTags} tags.` })
      return saveOne(ctx, record, { tags: withTag(record, tag, adds) }, tx)
    })
  }

  /**
   * Changes many, in batches: what was done before a failure stays done.
   * @returns the ids that the change touched. @throws `approval_required`.
   */
  async function bulk(ctx: Caller, { ids, action }: BulkRequest): Promise<{ ids: string[] }> {
    const named = [...new Set(ids.filter(isId))]
    if (action.kind === 'add_tag') await tags.ensure(ctx, [action.tag])
    const isDeletion = action.kind === 'delete' && named.length > 1
    const allowed = isDeletion ? await approve(ctx, 'contact_deletion', { ids: named }) : undefined
    const touched: string[] = []
    for (let start = 0; start < named.length; start += batchSize) {
      const part = named.slice(start, start + batchSize)
      const changed = await transaction(async (tx) => {
        if (start === 0) await allowed?.take(tx)
        return changeBatch(ctx, part, action, tx)
      })
      touched.push(...changed)
    }
    return { ids: touched }
  }

  async function changeBatch(ctx: Caller, ids: readonly string[], action: BulkRequest['action'], tx: Tx) {
    const records = await contacts.readMany(ctx, ids, tx)
    const changes = records.flatMap((record) => {
      const change = changeOf(record, action)
      return change ? [{ record, ...change }] : []
    })
    return (await store.save(ctx, changes, tx)).map(({ id }) => id)
  }

  return {
    create,
    update,
    addTag: (ctx: Caller, id: string, tag: string) => changeTag(ctx, id, tag, true),
    removeTag: (ctx: Caller, id: string, tag: string) => changeTag(ctx, id, tag, false),
    bulk,
  }
}

/** `undefined` where there is nothing to change. */
function changeOf(record: ContactRecord, action: BulkRequest['action']) {
  if (action.kind === 'restore') {
    const restorable = !record.live && record.deletedAt && Date.now() - record.deletedAt.getTime() < restorableMs
    // One that has given up to another contact how it was known cannot be written to.
    const isKnown = record.phone !== undefined || record.waUserId !== undefined
    return restorable && isKnown ? { fields: {}, live: true } : undefined
  }
  if (!record.live) return undefined
  if (action.kind === 'delete') return { fields: {}, live: false }
  const adds = action.kind === 'add_tag'
  const full = adds && record.tags.length >= maxTags
  return record.tags.includes(action.tag) === adds || full
    ? undefined
    : { fields: { tags: withTag(record, action.tag, adds) } }
}

const withTag = ({ tags }: ContactRecord, tag: string, adds: boolean): string[] =>
  adds ? [...tags, tag] : tags.filter((other) => other !== tag)

/** Repeats work whose number was taken meanwhile: of two people who add the same one, the second finds the first's contact. */
async function onceMoreIfTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    return work()
  }
}

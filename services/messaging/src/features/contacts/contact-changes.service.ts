import { type Contact, type contactsApi, maxTags, type NewContact } from '@parley/contracts/contacts'
import type { EndpointInput } from '@parley/contracts/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { Tx } from '@parley/service-kit/data/transaction'
import { backOptedOut, type ListConsent, suppressedCategories } from '../consent/list-consent.ts'
import type { AttributesService } from './attributes/attributes.service.ts'
import {
  attributesOf,
  identityNames,
  isKnownBy,
  newContactFields,
  normalPhone,
  searchKeys,
  toAttributes,
  toContact,
} from './contact-fields.ts'
import type { Caller, ContactStore } from './contact-store.ts'
import { type ContactRecord, restorableMs } from './contacts.model.ts'
import type { ContactsRepository, NewContactRecord } from './contacts.repository.ts'
import type { TagsRepository } from './tags.repository.ts'

type Changes = EndpointInput<typeof contactsApi.update>['body']
type BulkRequest = EndpointInput<typeof contactsApi.bulk>['body']

/** How many contacts are changed at once. */
const batchSize = 250

interface Dependencies {
  readonly contacts: ContactsRepository
  readonly tags: TagsRepository
  readonly attributes: Pick<AttributesService, 'checked'>
  readonly store: ContactStore
  readonly consent: Pick<ListConsent, 'add' | 'suppressions'>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** What people do to contacts. */
export function createContactChangesService({
  contacts,
  tags,
  attributes: definitions,
  store,
  consent,
  transaction,
}: Dependencies) {
  /**
   * Adds a contact. One that was deleted comes back with these fields: conversations and consent stay what they were.
   * @throws `contact_exists`, `validation_failed` for values that do not fit their field.
   */
  async function create(ctx: Caller, { name, tags: names, ...input }: NewContact): Promise<Contact> {
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
          : [await add(ctx, { ...newContactFields('manual'), addedBy: ctx.userId, ...typed, ...searchKeys(typed) }, tx)]
        if (!record) throw errors.internal()
        return toContact(record)
      }),
    )
  }

  /** Whoever had opted out, and was deleted for good, is still opted out. */
  async function add(ctx: Caller, fields: NewContactRecord, tx: Tx): Promise<ContactRecord | undefined> {
    const isSuppressed = await consent.suppressions(ctx, [fields], tx.session)
    const at = new Date(Math.floor(Date.now() / 1000) * 1000)
    const before = backOptedOut(suppressedCategories(fields, isSuppressed), { at, key: newId() })
    const [record] = await store.insert(ctx, [{ ...fields, ...before.fields }], tx)
    if (!record) return undefined
    const entries = before.entries.map((entry) => ({ ...entry, contactId: record.id, who: record }))
    await consent.add(ctx, entries, [], tx)
    return record
  }

  /** Who has opted out under an address that a contact gets now: the contact has. @returns what changes of it. */
  async function withConsent(
    ctx: Caller,
    record: ContactRecord,
    identity: Identity,
    tx: Tx,
  ): Promise<Partial<ContactRecord>> {
    const given = changed(record, identity)
    if (given.phone === undefined && given.waUserId === undefined) return {}
    const isSuppressed = await consent.suppressions(ctx, [given], tx.session)
    const isOut = { marketing: record.optIn.marketing === 'out', utility: record.utilityConsent?.value === 'out' }
    const added = suppressedCategories(given, isSuppressed).filter((category) => !isOut[category])
    if (added.length === 0) return {}
    const at = new Date(Math.floor(Date.now() / 1000) * 1000)
    const { entries, fields } = backOptedOut(added, { at, key: newId() })
    const own = entries.map((entry) => ({ ...entry, contactId: record.id, who: { ...record, ...given } }))
    await consent.add(ctx, own, [record], tx)
    return fields
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
        await giveUp(ctx, await deletedOwners(ctx, changed(record, identity), tx, id), identity, tx)
        const all = { ...fields, ...(await withConsent(ctx, record, identity, tx)) }
        if (!attributes) return saveOne(ctx, record, all, tx)
        const checked = await definitions.checked(ctx, attributes, attributesOf(record))
        return saveOne(ctx, record, { ...all, attributes: toAttributes(checked) }, tx)
      }),
    )
  }

  /** They stay deleted, without what another contact has now: their conversations go with them at the end of their time. */
  async function giveUp(ctx: Caller, owners: readonly ContactRecord[], identity: Identity, tx: Tx): Promise<void> {
    const changes = owners.map((record) => ({
      record,
      fields: {
        ...(isGiven('phone', record, identity) && { phone: undefined }),
        ...(isGiven('waUserId', record, identity) && { waUserId: undefined }),
      },
    }))
    await store.save(ctx, changes, tx)
  }

  /**
   * Deleted contacts that are known so: they give it up to the one that gets it now.
   * @throws `contact_exists` where another contact is known so.
   */
  async function deletedOwners(ctx: Caller, identity: Identity, tx: Tx, id?: string): Promise<ContactRecord[]> {
    const found = await contacts.findBy(ctx, [{ phone: identity.phone, waUserId: identity.waUserId }], tx)
    const owners = new Map(found.map((owner) => [owner.id, owner]))
    if (id !== undefined) owners.delete(id)
    for (const owner of owners.values()) if (owner.live) throw identityTaken(owner, identity)
    return [...owners.values()]
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

  /** Changes many, in batches: what was done before a failure stays done. @returns the ids that the change touched. */
  async function bulk(ctx: Caller, { ids, action }: BulkRequest): Promise<{ ids: string[] }> {
    const named = [...new Set(ids.filter(isId))]
    if (action.kind === 'add_tag') await tags.ensure(ctx, [action.tag])
    const touched: string[] = []
    for (let start = 0; start < named.length; start += batchSize) {
      const part = named.slice(start, start + batchSize)
      touched.push(...(await transaction((tx) => changeBatch(ctx, part, action, tx))))
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

function identityTaken(owner: ContactRecord, identity: Identity): AppError {
  const isPhone = identity.phone !== undefined && isKnownBy('phone', owner, identity.phone)
  const key = isPhone ? 'phone' : 'waUserId'
  const written = isPhone && owner.phone !== identity.phone ? `, written ${owner.phone}` : ''
  const message = `${owner.name} already has this ${identityNames[key]}${written}.`
  return new AppError('contact_exists', message, {
    fields: { [key]: message },
    existing: { id: owner.id, name: owner.name },
  })
}

type Identity = Pick<ContactRecord, 'phone' | 'waUserId'>
const identityOf = ({ phone, waUserId }: Identity): Identity => ({
  ...(phone !== undefined && { phone: normalPhone(phone) }),
  ...(waUserId !== undefined && { waUserId }),
})

/** Whether a contact is known by what another one gets. */
const isGiven = (key: keyof Identity, record: ContactRecord, { [key]: value }: Identity): boolean =>
  value !== undefined && isKnownBy(key, record, value)

/** What somebody is to be known by and is not yet. */
const changed = (record: ContactRecord, { phone, waUserId }: Identity): Identity => ({
  ...(phone !== record.phone && { phone }),
  ...(waUserId !== record.waUserId && { waUserId }),
})

/** Two people who add the same number at once: the second finds the contact of the first when it tries again. */
async function onceMoreIfTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    return work()
  }
}

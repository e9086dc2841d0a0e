import { AppError } from '@parley/service-kit/core/errors'
import { newId } from '@parley/service-kit/data/plain'
import type { Tx } from '@parley/service-kit/data/transaction'
import { backOptedOut, type ListConsent, suppressedCategories, thisSecond } from './consent/list-consent.ts'
import { identityNames, isKnownBy, normalPhone } from './contact-fields.ts'
import type { Author, ContactStore } from './contact-store.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository } from './contacts.repository.ts'

type Identity = Pick<ContactRecord, 'phone' | 'waUserId'>

interface Dependencies {
  readonly contacts: Pick<ContactsRepository, 'findBy'>
  readonly store: Pick<ContactStore, 'save'>
  readonly consent: Pick<ListConsent, 'add' | 'suppressions'>
}

/** Brings a contact that gets a phone number or user id all that goes with it: deleted contacts give it up, earlier opt-outs hold. */
export function createIdentityChanges({ contacts, store, consent }: Dependencies) {
  /** An opt-out under an address that a contact gets now is the contact's own. @returns what changes of it. */
  async function withConsent(
    ctx: Author,
    record: ContactRecord,
    identity: Identity,
    tx: Tx,
  ): Promise<Partial<ContactRecord>> {
    const changedFields = changedIdentity(record, identity)
    if (changedFields.phone === undefined && changedFields.waUserId === undefined) return {}
    const isSuppressed = await consent.suppressions(ctx, [changedFields], tx.session)
    const isOut = { marketing: record.optIn.marketing === 'out', utility: record.utilityConsent?.value === 'out' }
    const added = suppressedCategories(changedFields, isSuppressed).filter((category) => !isOut[category])
    if (added.length === 0) return {}
    const at = thisSecond()
    const { entries, fields } = backOptedOut(added, { at, key: newId() })
    const consentEntries = entries.map((entry) => ({
      ...entry,
      contactId: record.id,
      who: { ...record, ...changedFields },
    }))
    await consent.add(ctx, consentEntries, [record], tx)
    return fields
  }

  /** Takes identities from deleted contacts for another one: they stay deleted, and their conversations are removed when due. */
  async function giveUp(ctx: Author, owners: readonly ContactRecord[], identity: Identity, tx: Tx): Promise<void> {
    const changes = owners.map((record) => ({
      record,
      fields: {
        ...(isTaken('phone', record, identity) && { phone: undefined }),
        ...(isTaken('waUserId', record, identity) && { waUserId: undefined }),
      },
    }))
    await store.save(ctx, changes, tx)
  }

  /**
   * Finds deleted contacts with an identity, which they give up to the one that gets it now.
   * @throws `contact_exists` where another contact is known so.
   */
  async function deletedOwners(ctx: Author, identity: Identity, tx: Tx, id?: string): Promise<ContactRecord[]> {
    const found = await contacts.findBy(ctx, [{ phone: identity.phone, waUserId: identity.waUserId }], tx)
    const owners = new Map(found.map((owner) => [owner.id, owner]))
    if (id !== undefined) owners.delete(id)
    for (const owner of owners.values()) if (owner.live) throw identityTaken(owner, identity)
    return [...owners.values()]
  }

  return { withConsent, giveUp, deletedOwners }
}

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

/** Returns a contact's identity, in the one way of writing a phone number. */
export const identityOf = ({ phone, waUserId }: Identity): Identity => ({
  ...(phone !== undefined && { phone: normalPhone(phone) }),
  ...(waUserId !== undefined && { waUserId }),
})

/** Returns whether a contact is known by what another one gets. */
const isTaken = (key: keyof Identity, record: ContactRecord, { [key]: value }: Identity): boolean =>
  value !== undefined && isKnownBy(key, record, value)

/** Returns the identities that a contact is to have and does not have yet. */
export const changedIdentity = (record: ContactRecord, { phone, waUserId }: Identity): Identity => ({
  ...(phone !== record.phone && { phone }),
  ...(waUserId !== record.waUserId && { waUserId }),
})

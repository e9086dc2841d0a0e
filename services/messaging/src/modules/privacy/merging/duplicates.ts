import { type Duplicate, maxDuplicates } from '@parley/contracts/contacts/contact-merge'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { toContact, waPhoneOf } from '../../contacts/contact-fields.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'

/** Maximum contacts compared for a name: where more share it, the name is no sign. */
export const maxNamesakes = 50

/** Finds contacts that may be one person: a sign that is no proof is shown to people, who merge them or do not. */
export function createDuplicates(contacts: Pick<ContactsRepository, 'readLive' | 'findBy' | 'namedAs' | 'named'>) {
  /** @throws `not_found`. */
  return async (scope: WorkspaceScope, id: string): Promise<Duplicate[]> => {
    const contact = await contacts.readLive(scope, id)
    if (!contact) throw errors.notFound('There is no such contact.')
    const { phone } = contact
    const forms = phone === undefined ? [] : [phone, waPhoneOf(contact) ?? []].flat()
    const [ofPhone, ofWaPhone, namesakes] = await Promise.all([
      contacts.findBy(
        scope,
        forms.map((form) => ({ phone: form, waUserId: undefined })),
      ),
      contacts.namedAs(scope, [phone ?? []].flat()),
      contacts.named(scope, contact.nameKey, maxNamesakes),
    ])
    const found = new Map<string, Duplicate>()
    const add = (other: ContactRecord, because: Duplicate['because']) => {
      // Sample contacts merge with sample contacts only.
      if (!other.live || other.id === id || other.sample !== contact.sample || found.has(other.id)) return
      found.set(other.id, { contact: toContact(other), because })
    }
    const emails = emailsOf(contact)
    for (const other of [...ofPhone, ...ofWaPhone]) add(other, 'phone')
    for (const other of namesakes) if (emailsOf(other).some((email) => emails.includes(email))) add(other, 'email')
    for (const other of namesakes) if (isOtherHalf(contact, other)) add(other, 'name')
    return [...found.values()].slice(0, maxDuplicates)
  }
}

/** One is known by the phone number alone, the other by the user id alone: a customer who has begun to hide the number. */
export const isOtherHalf = (left: ContactRecord, right: ContactRecord): boolean =>
  (left.phone === undefined) !== (right.phone === undefined) &&
  (left.waUserId === undefined) !== (right.waUserId === undefined)

/** E-mail addresses among the values of any field. */
export const emailsOf = ({ attributes }: ContactRecord): string[] =>
  attributes.flatMap(({ v }) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(v.trim()) ? [v.trim().toLowerCase()] : []))

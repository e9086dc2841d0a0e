import { lineForms, otherForms } from '@parley/phone/line'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { waPhoneOf } from './contact-fields.ts'
import type { ContactRecord } from './contacts.model.ts'

type Identity = Record<'phone' | 'waUserId', string | undefined>

/** Finds contacts by what the platform, people and files call them. */
export function createFindContacts(contacts: (scope: WorkspaceScope) => ScopedCollection<ContactRecord>) {
  /** Finds contacts by any of these identities, deleted ones too: a phone number matches in any notation. */
  async function findBy(
    scope: WorkspaceScope,
    people: readonly Identity[],
    { session = null }: { readonly session?: Tx['session'] | null } = {},
  ) {
    const userIds = people.flatMap(({ waUserId }) => waUserId ?? [])
    const phones = [...new Set(people.flatMap(({ phone }) => (phone === undefined ? [] : lineForms(phone))))]
    // One query for each index: a disjunction of pairs cannot use them.
    const byUserId = async () =>
      userIds.length > 0
        ? contacts(scope)
            .find({ waUserId: { $in: userIds } })
            .hint('user-id')
            .session(session)
        : []
    const byPhone = async () =>
      phones.length > 0
        ? contacts(scope)
            .find({ phone: { $in: phones } })
            .hint('phone')
            .session(session)
        : []
    // A transaction carries one command at a time.
    if (session) return [...(await byUserId()), ...(await byPhone())]
    return (await Promise.all([byUserId(), byPhone()])).flat()
  }

  /** Finds contacts whom WhatsApp names by one of these numbers, while they are stored with another form of it. */
  async function namedAs(
    scope: WorkspaceScope,
    phones: readonly string[],
    { session = null }: { readonly session?: Tx['session'] | null } = {},
  ): Promise<ContactRecord[]> {
    if (phones.length === 0) return []
    const found = await contacts(scope)
      .find({ 'waPhone.number': { $in: phones } })
      .hint('wa-phone')
      .session(session)
    return found.filter((contact) => waPhoneOf(contact) !== undefined)
  }

  /** Same as {@link findBy}; for a phone number that no contact has, those whom WhatsApp names by it. */
  async function findNamed(
    scope: WorkspaceScope,
    people: readonly Identity[],
    { session = null }: { readonly session?: Tx['session'] | null } = {},
  ): Promise<ContactRecord[]> {
    const exact = await findBy(scope, people, { session })
    const have = new Set(exact.flatMap(({ phone }) => (phone === undefined ? [] : lineForms(phone))))
    const phones = people.flatMap(({ phone }) => (phone === undefined || have.has(phone) ? [] : phone))
    return [...exact, ...(await namedAs(scope, phones, { session }))]
  }

  /**
   * Other contacts, deleted or not, that reach the phone of one of these: by another way of writing its number, or because WhatsApp has
   * named the one by the number of the other. Few have any.
   */
  async function ofSamePhone(
    scope: WorkspaceScope,
    people: readonly ContactRecord[],
    { session }: Pick<Tx, 'session'>,
  ): Promise<ContactRecord[]> {
    const phones = people.flatMap(({ phone }) => phone ?? [])
    if (phones.length === 0) return []
    const others = people.flatMap((person) => [
      ...otherForms(person.phone ?? ''),
      ...(waPhoneOf(person) === undefined ? [] : lineForms(waPhoneOf(person) ?? '')),
    ])
    const written = others.length > 0 ? await findBy(scope, others.map(byPhoneAlone), { session }) : []
    const found = [...written, ...(await namedAs(scope, phones, { session }))]
    const askedIds = new Set(people.map(({ id }) => id))
    return [...new Map(found.filter(({ id }) => !askedIds.has(id)).map((other) => [other.id, other])).values()]
  }

  return { findBy, namedAs, findNamed, ofSamePhone }
}

const byPhoneAlone = (phone: string): Identity => ({ phone, waUserId: undefined })

import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository, SeenPerson } from './contacts.repository.ts'

export type { SeenPerson } from './contacts.repository.ts'
export type ContactsService = ReturnType<typeof createContactsService>

export function createContactsService({ contacts }: { contacts: ContactsRepository }) {
  /**
   * The contacts of people who have written, made where they are not known. The business-scoped user id counts before the
   * phone number: numbers change hands.
   * @returns person → contact id.
   */
  async function ensure(scope: WorkspaceScope, people: readonly SeenPerson[]): Promise<(person: SeenPerson) => string> {
    let index = indexOf(await contacts.findBy(scope, people))
    const missing = people.filter((person) => !index(person))
    if (missing.length > 0) {
      await contacts.createMissing(scope, distinct(missing))
      index = indexOf(await contacts.findBy(scope, people))
    }
    for (const person of people) await completeIdentity(scope, person, index(person))
    return (person) => {
      const contact = index(person)
      if (!contact) throw new Error('somebody without any identity has written')
      return contact.id
    }
  }

  async function completeIdentity(scope: WorkspaceScope, person: SeenPerson, contact: ContactRecord | undefined) {
    if (!contact) return
    const { phone, waUserId } = person
    const missing = {
      ...(phone !== undefined && contact.phone === undefined && { phone }),
      ...(waUserId !== undefined && contact.waUserId === undefined && { waUserId }),
    }
    if (Object.keys(missing).length > 0) await contacts.addIdentity(scope, contact.id, missing)
  }

  async function shown(scope: WorkspaceScope, ids: readonly string[]) {
    const found = await contacts.readMany(scope, [...new Set(ids)])
    return new Map(found.map((contact) => [contact.id, contact]))
  }
  /** Those who are known already. @returns person → contact id. */
  async function find(scope: WorkspaceScope, people: readonly SeenPerson[]) {
    const index = indexOf(people.length > 0 ? await contacts.findBy(scope, people) : [])
    return (person: SeenPerson): string | undefined => index(person)?.id
  }

  return {
    ensure,
    find,
    shown,
    read: contacts.read,
    replaceIdentity: contacts.replaceIdentity,
    noteMarketing: contacts.noteMarketing,
  }
}

function indexOf(known: readonly ContactRecord[]): (person: SeenPerson) => ContactRecord | undefined {
  const byUserId = new Map(known.flatMap((contact) => (contact.waUserId ? [[contact.waUserId, contact] as const] : [])))
  const byPhone = new Map(known.flatMap((contact) => (contact.phone ? [[contact.phone, contact] as const] : [])))
  return ({ phone, waUserId }) =>
    (waUserId !== undefined ? byUserId.get(waUserId) : undefined) ??
    (phone !== undefined ? byPhone.get(phone) : undefined)
}

/** One of each person: two messages of one batch make one contact. */
function distinct(people: readonly SeenPerson[]): SeenPerson[] {
  return [...new Map(people.map((person) => [person.waUserId ?? person.phone, person])).values()]
}

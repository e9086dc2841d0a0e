import { attributeField } from '@parley/contracts/contacts/contact-fields'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createPersonViews } from '../../inbox/views/person-views.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import { createPersonSegments } from '../segments/person-segments.ts'

/** Looks for uses of a field before it is removed without a question. */
export function createFieldUses(mongo: ServiceConnection, contacts: Pick<ContactsRepository, 'anyWithField'>) {
  const places = [createPersonSegments(mongo), createPersonViews(mongo)]

  /** @returns whether a contact has a value of it, or conditions of a segment or of a view name it. */
  return async function isFieldUsed(scope: WorkspaceScope, name: string): Promise<boolean> {
    if (await contacts.anyWithField(scope, name)) return true
    const named = JSON.stringify(attributeField(name))
    for (const place of places)
      for await (const { texts } of place.typed(scope)) if (JSON.stringify(texts).includes(named)) return true
    return false
  }
}

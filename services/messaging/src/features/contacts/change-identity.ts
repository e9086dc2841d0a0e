import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { emitContacts } from './contact-events.ts'
import type { createContactStore } from './contact-store.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository } from './contacts.repository.ts'
import { gramsOf } from './phone-grams.ts'

type Identity = Partial<Record<'phone' | 'waUserId', string | undefined>>
type Who = Record<'phone' | 'waUserId', string | undefined>
export type ChangeIdentity = ReturnType<typeof createChangeIdentity>

/**
 * Gives the contact that `previous` names an identity that the platform has told, with its events: lists, open pages and the
 * conversations that are found by the number follow. Where the contact is not known so any more nothing changes; where another one
 * has the new identity already, both are merged if they are one person for sure.
 */
export function createChangeIdentity({
  contacts,
  updateConversations,
  mergeIdentities,
  transaction,
}: {
  readonly contacts: Pick<ContactsRepository, 'findNamed' | 'change'>
  readonly updateConversations: Parameters<typeof createContactStore>[0]['updateConversations']
  /** Two records turn out to be one person. */
  readonly mergeIdentities: (scope: WorkspaceScope, one: Who, another: Who) => Promise<void>
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}) {
  return async (scope: WorkspaceScope, previous: Identity, identity: Identity): Promise<void> => {
    const { phone, waUserId } = identity
    const fields = {
      ...(phone !== undefined && { phone, grams: gramsOf(phone) }),
      ...(waUserId !== undefined && { waUserId }),
    }
    const work = async (tx: Tx) => {
      const who = { phone: previous.phone, waUserId: previous.waUserId }
      const [record] = await contacts.findNamed(scope, [who], { session: tx.session })
      if (!record) return
      if ((await contacts.change(scope, [{ record, update: { $set: fields } }], tx)) === 0)
        throw errors.serviceUnavailable(new Error('a contact has changed meanwhile'))
      const after: ContactRecord = { ...record, ...fields, version: record.version + 1 }
      const by = { kind: 'contact' as const, id: record.id }
      // One that was deleted is in no list.
      if (record.live) emitContacts({ scope, by }, [after], tx)
      await updateConversations(scope, [after], tx, by)
    }
    await transaction(work).catch(async (error: unknown) => {
      if (!isDuplicateKey(error)) throw error
      // A number that follows another number may have been somebody else's before: that is for people to decide.
      if (previous.waUserId !== undefined && phone !== undefined)
        await mergeIdentities(scope, { phone: undefined, waUserId: previous.waUserId }, { phone, waUserId: undefined })
    })
  }
}

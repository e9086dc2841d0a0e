import { isNamed } from '@parley/rules/contact-name'
import { errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { emitContacts } from './contact-events.ts'
import { finding, isKnownBy, lineOf, searchKeys } from './contact-fields.ts'
import type { createContactStore } from './contact-store.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository } from './contacts.repository.ts'

type Identity = Partial<Record<'phone' | 'waUserId', string | undefined>>
type Account = Pick<ContactRecord, 'phone' | 'waUserId' | 'username'>
/** Identity that the platform reports for a person. */
export interface Told extends Identity {
  readonly name?: string | undefined
  readonly username?: string | undefined
}
export type ChangeIdentity = ReturnType<typeof createChangeIdentity>

/**
 * Gives the contact that `previous` names the identity that the platform has reported for it, with its events: lists, open pages
 * and the conversations that are found by it follow. Nothing changes where the contact is no longer known by `previous`. Two
 * contacts with successive user ids of one person become one; a phone number that another contact has is not taken away, unless
 * `isOne` says that both identities are those of one person now: then they are merged where nothing speaks against it.
 */
export function createChangeIdentity({
  contacts,
  updateConversations,
  mergeIdentities,
  transaction,
}: {
  readonly contacts: Pick<ContactsRepository, 'findNamed' | 'change'>
  readonly updateConversations: Parameters<typeof createContactStore>[0]['updateConversations']
  /** Merges two records that turn out to be one person. @param account their account from now on, where that is known. */
  readonly mergeIdentities: (
    scope: WorkspaceScope,
    kept: ContactRecord,
    other: ContactRecord,
    account?: Account,
  ) => Promise<void>
  readonly transaction: RunInTransaction
}) {
  /** Finds the contacts that have the reported identity already, beside the contact itself. */
  async function holders(scope: WorkspaceScope, previous: Identity, { phone, waUserId }: Told) {
    const who = { phone: previous.phone, waUserId: previous.waUserId }
    const [byId, byPhone] = [
      { phone: undefined, waUserId },
      { phone, waUserId: undefined },
    ]
    const find = finding(await contacts.findNamed(scope, [who, byId, byPhone]))
    const record = find(who)
    const other = (found: ContactRecord | undefined) => (found?.id === record?.id ? undefined : found)
    return { record, ofId: other(find(byId)), ofPhone: other(find(byPhone)) }
  }

  async function apply(scope: WorkspaceScope, { id }: ContactRecord, previous: Identity, told: Told): Promise<void> {
    await transaction(async (tx) => {
      const who = { phone: previous.phone, waUserId: previous.waUserId }
      const record = finding(await contacts.findNamed(scope, [who], { session: tx.session }))(who)
      if (record?.id !== id) return
      const fields = newFields(record, told)
      if (Object.keys(fields).length === 0) return
      const after: ContactRecord = { ...record, ...fields, version: record.version + 1 }
      const isOtherLine = fields.phone !== undefined && !isKnownBy('phone', record, fields.phone)
      const line = isOtherLine ? lineOf(fields.phone) : record.line
      const $set = { ...fields, ...searchKeys(after), ...(line !== undefined && { line }) }
      const update = { $set, ...(line === undefined && { $unset: { line: 1 as const } }) }
      if ((await contacts.change(scope, [{ record, update }], tx)) === 0)
        throw errors.serviceUnavailable(new Error('a contact has changed meanwhile'))
      const by = { kind: 'contact' as const, id: record.id }
      // One that was deleted is in no list.
      if (record.live) emitContacts({ scope, by }, [after], tx)
      await updateConversations(scope, [after], tx, by)
    })
  }

  return async (
    scope: WorkspaceScope,
    previous: Identity,
    told: Told,
    { isOne = false }: { readonly isOne?: boolean } = {},
  ): Promise<void> => {
    const { record, ofId, ofPhone } = await holders(scope, previous, told)
    if (!record) return
    if (ofId) {
      // A message under the new user id has come before the notice of it.
      const phone = (ofPhone ? undefined : told.phone) ?? ofId.phone ?? record.phone
      const username = told.username ?? ofId.username ?? record.username
      const account = { phone, waUserId: told.waUserId, username }
      return mergeIdentities(scope, record, ofId, isOne ? undefined : account)
    }
    if (ofPhone && isOne) await mergeIdentities(scope, record, ofPhone)
    const rest = ofPhone ? { ...told, phone: undefined } : told
    await apply(scope, record, previous, rest).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
      throw errors.serviceUnavailable(new Error('another contact has got the identity meanwhile'))
    })
  }
}

/**
 * Returns the reported fields that a contact does not have yet: the user id and the number as they are, the username always, a
 * name while it has none.
 */
export function newFields(record: ContactRecord, { phone, waUserId, name, username }: Told): Partial<ContactRecord> {
  const standIn = record.name === record.phone ? phone : record.name === record.username ? username : undefined
  const called = isNamed(record) ? undefined : name || standIn
  const reported = { phone, waUserId, username, name: called }
  return Object.fromEntries(
    Object.entries(reported).filter(([key, value]) => value && value !== record[key as keyof typeof reported]),
  )
}

import { haveTwoAccounts, onlyAccount } from '@parley/contracts/contacts/contact-merge'
import { isSameLine } from '@parley/phone/line'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { lineOf, reachedBy } from '../../contacts/contact-fields.ts'
import { type ContactRecord, type MergedFields, withImports } from '../../contacts/contacts.service.ts'
import type { AccountOf } from './merged-conversations.ts'

/** The member on whose behalf contacts are merged; `userId` is absent where WhatsApp has reported that they are one person. */
export interface Merger extends WorkspaceScope {
  readonly userId?: string | undefined
}
export const memberOf = ({ userId }: Merger) => (userId === undefined ? {} : { memberId: userId })

export type Merged = NonNullable<ContactRecord['merged']>
export type Account = Merged['account']

export const absentAccount = { phone: undefined, waUserId: undefined, username: undefined }

/** Picks the fields that a merge may change. */
export const fieldsOf = ({ name, tags, attributes, ...record }: MergedFields): MergedFields => ({
  name,
  tags,
  attributes,
  ...onlyAccount(record),
})

/** Returns whether two numbers are one line written in two ways. */
export const areOneLine = (kept: Account, other: Account): boolean =>
  kept.phone !== undefined && other.phone !== undefined && isSameLine(kept.phone, other.phone)

/** Gives both accounts the number of the chosen one, where both have the same line. */
export function withOnePhone<T extends Account>(kept: T, other: T, takesOther: boolean): [T, T] {
  if (!areOneLine(kept, other)) return [kept, other]
  const { phone } = takesOther ? other : kept
  return [
    { ...kept, phone },
    { ...other, phone },
  ]
}

/** Returns which account the contact has afterwards. */
export const accountAfter = (kept: Account, other: Account, takesOther: boolean): AccountOf =>
  haveTwoAccounts(...withOnePhone(kept, other, false)) ? (takesOther ? 'other' : 'kept') : 'both'

/** Returns which account the kept contact has had since the merge. */
export const accountOfMerge = ({ before, after, account }: Merged): AccountOf =>
  accountAfter(before, account, after.phone === account.phone && after.waUserId === account.waUserId)

export const latest = (left: Date | undefined, right: Date | undefined): Date | undefined =>
  left && right ? (left > right ? left : right) : (left ?? right)

/**
 * Returns the kept contact's fields without the merge; a field that was changed since stays.
 * @param importIds those of the other contact.
 */
export function fieldsBack(
  kept: ContactRecord,
  merged: Merged,
  importIds: ContactRecord['importIds'],
): MergedFields & Pick<ContactRecord, 'blocked' | 'importIds'> {
  const { before, after } = merged
  const sameAccount = kept.phone === after.phone && kept.waUserId === after.waUserId
  const added = new Set(after.tags.filter((tag) => !before.tags.includes(tag)))
  const valueIn = (fields: Pick<MergedFields, 'attributes'>, name: string) =>
    fields.attributes.find(({ k }) => k === name)?.v
  const attributes = kept.attributes.flatMap(({ k, v }) => {
    if (v !== valueIn(after, k)) return [{ k, v }]
    const earlier = valueIn(before, k)
    return earlier === undefined ? [] : [{ k, v: earlier }]
  })
  return {
    name: kept.name === after.name ? before.name : kept.name,
    ...onlyAccount(sameAccount ? before : kept),
    tags: kept.tags.filter((tag) => !added.has(tag)),
    attributes,
    blocked: kept.blocked === after.blocked ? before.blocked : kept.blocked,
    importIds: importsBack(kept, merged, importIds),
  }
}

/** Returns the imports by which the contact that two have become is found. */
export const importsOfBoth = (kept: ContactRecord, { importIds }: ContactRecord): ContactRecord['importIds'] =>
  importIds ? withImports(importIds, kept.importIds ?? []) : kept.importIds

/** Returns the imports of the kept contact without those that only the other one was in. */
function importsBack(kept: ContactRecord, { before }: Merged, ofOther: ContactRecord['importIds'] = []) {
  const left = kept.importIds?.filter((id) => before.importIds?.includes(id) || !ofOther.includes(id))
  return left?.length ? left : undefined
}

/** {@link ContactRecord.line} of a contact that continues with the number of one of these. */
export function lineAfter(before: readonly ContactRecord[], phone: string | undefined): string | undefined {
  const sameLine = before.filter((contact) => areOneLine(contact, { phone }))
  return sameLine.length > 0 ? sameLine.find(({ line }) => line !== undefined)?.line : lineOf(phone)
}

/**
 * Returns the number by which WhatsApp names the person behind two contacts, as last reported. @param of the number that stays.
 */
export function confirmedForm(
  kept: ContactRecord,
  other: ContactRecord,
  of: string | undefined,
): ContactRecord['waPhone'] {
  if (of === undefined) return undefined
  const [one, two] = [kept, other].toSorted(
    (left, right) => (right.lastContactAt?.getTime() ?? 0) - (left.lastContactAt?.getTime() ?? 0),
  )
  const latest = areOneLine(kept, other) && one?.lastContactAt ? reachedBy(one) : undefined
  const number = latest ?? [kept, other, two].find((contact) => contact?.waPhone?.of === of)?.waPhone?.number
  return number === undefined ? undefined : { of, number }
}

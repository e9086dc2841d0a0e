import { contactConditionsParameter } from '@parley/contracts/contacts/contact-fields'
import { type ContactQuery, contactSorts, lastContactRanges } from '@parley/contracts/contacts/contacts'
import { tagNameSchema } from '@parley/contracts/contacts/tags'
import { idSchema, listOf, pageQueryFields } from '@parley/contracts/core/records'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'
import { firstPage } from '../../ui/cursor-pager.tsx'
import type { ContactFilter } from './api.ts'

const shape = {
  q: pageQueryFields.q,
  segment: idSchema.optional(),
  tags: listOf(tagNameSchema).optional(),
  last: z.enum(lastContactRanges).optional(),
  /** A tree of conditions, as JSON. */
  conditions: contactConditionsParameter.optional(),
  /** The conditions are being written: for the list, or for the segment of this id. */
  build: z.union([z.literal('filter'), idSchema]).optional(),
  sort: z.enum(contactSorts).optional(),
  cursor: pageQueryFields.cursor,
  /** Page number of the cursor, to show `26–50 of 8,234`. */
  page: z.coerce.number().int().min(2).max(100_000).optional(),
  /** The contact whose details are open. */
  contact: idSchema.optional(),
  edit: idSchema.optional(),
  new: z.literal('1').optional(),
  /** Possible duplicates are shown. */
  duplicates: z.literal('1').optional(),
  /** The import whose contacts are shown. */
  imported: idSchema.optional(),
  /** `1` to choose a file, else the import that is open. */
  import: idSchema.optional(),
}

/** Returns this screen's state from the address, and a setter. */
export const useContactsUrl = () => useUrlState(shape)
export type ContactsUrl = ReturnType<typeof useContactsUrl>[0]
export type ChangeUrl = ReturnType<typeof useContactsUrl>[1]

/** The filters alone: what a bulk change or an export is about. */
export function filterOf({ q, segment, imported, tags, last, conditions }: ContactsUrl): ContactFilter {
  return {
    ...(q && { q }),
    ...(segment && segment !== 'all' && { segment }),
    ...(imported && { import: imported }),
    ...(tags?.length && { tags }),
    ...(last && { lastContact: last }),
    ...(conditions && conditions.conditions.length > 0 && { conditions: JSON.stringify(conditions) }),
  }
}

export const queryOf = (url: ContactsUrl): ContactQuery => ({
  ...filterOf(url),
  ...(url.sort && { sort: url.sort }),
  ...(url.cursor && { cursor: url.cursor }),
})

/** Clears the filters that the builder's conditions can express too. */
export const noQuickFilters = { tags: undefined, last: undefined, ...firstPage }
export const noFilters = {
  q: undefined,
  segment: undefined,
  imported: undefined,
  conditions: undefined,
  ...noQuickFilters,
}

import { type ContactQuery, contactSorts, lastContactRanges, tagNameSchema } from '@parley/contracts/contacts'
import { idSchema, listOf, pageQueryFields } from '@parley/contracts/records'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'
import { firstPage } from '../../ui/cursor-pager.tsx'
import type { ContactFilter } from './api.ts'

const shape = {
  q: pageQueryFields.q,
  segment: idSchema.optional(),
  tags: listOf(tagNameSchema).optional(),
  last: z.enum(lastContactRanges).optional(),
  sort: z.enum(contactSorts).optional(),
  cursor: pageQueryFields.cursor,
  /** Which page the cursor stands for, to say `26–50 of 8,234`. */
  page: z.coerce.number().int().min(2).max(100_000).optional(),
  /** The contact whose details are open. */
  contact: idSchema.optional(),
  edit: idSchema.optional(),
  new: z.literal('1').optional(),
  /** `1` to choose a file, else the import that is open. */
  import: idSchema.optional(),
}

/** What the address says about this screen, and a setter. */
export const useContactsUrl = () => useUrlState(shape)
export type ContactsUrl = ReturnType<typeof useContactsUrl>[0]
export type ChangeUrl = ReturnType<typeof useContactsUrl>[1]

/** The filters alone: what a bulk change or an export is about. */
export function filterOf({ q, segment, tags, last }: ContactsUrl): ContactFilter {
  return {
    ...(q && { q }),
    ...(segment && segment !== 'all' && { segment }),
    ...(tags?.length && { tags }),
    ...(last && { lastContact: last }),
  }
}

export const queryOf = (url: ContactsUrl): ContactQuery => ({
  ...filterOf(url),
  ...(url.sort && { sort: url.sort }),
  ...(url.cursor && { cursor: url.cursor }),
})

export const noFilters = { q: undefined, segment: undefined, tags: undefined, last: undefined, ...firstPage }

import { idSchema } from '@parley/contracts/core/records'
import { type TemplateQuery, templateQuerySchema } from '@parley/contracts/templates/template-endpoints'
import { z } from 'zod'
import { useUrlState } from '../../lib/url-state.ts'
import { cardPageSize } from '../../ui/card-list.tsx'

const { q, status, category, language, accountId, cursor } = templateQuerySchema.shape

const shape = {
  q,
  status: status.optional(),
  category: category.optional(),
  language: language.optional(),
  accountId,
  cursor,
  page: z.coerce.number().int().min(2).max(10_000).optional(),
  new: z.literal('1').optional(),
  edit: idSchema.optional(),
  duplicate: idSchema.optional(),
  /** The template that is written in another language. */
  translate: idSchema.optional(),
  /** The template whose uses and versions are open. */
  details: idSchema.optional(),
}

/** Returns this screen's state from the address, and a setter. */
export const useTemplatesUrl = () => useUrlState(shape)
export type TemplatesUrl = ReturnType<typeof useTemplatesUrl>[0]
export type ChangeUrl = ReturnType<typeof useTemplatesUrl>[1]

export const queryOf = ({ q, status, category, language, accountId, cursor }: TemplatesUrl): TemplateQuery => ({
  ...(q && { q }),
  ...(cursor && { cursor }),
  ...(accountId && { accountId }),
  status,
  category,
  language,
  limit: cardPageSize,
})

export const closed = { new: undefined, edit: undefined, duplicate: undefined, translate: undefined }

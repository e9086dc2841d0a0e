import { z } from 'zod'
import { GraphCallFailed } from './graph-answer.ts'
import type { NumberAccess } from './number-calls.ts'

/** Lists of an account that are asked for: its templates, its forms. */
export type AccountAccess = Pick<NumberAccess, 'graph' | 'businessAccountId' | 'accessToken'>

const pageSchema = z.looseObject({
  data: z.array(z.unknown()).max(1000),
  paging: z
    .looseObject({
      next: z.string().optional().catch(undefined),
      cursors: z
        .looseObject({ after: z.string().max(2000).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

interface Listed<T> {
  /** Edge of the account: `message_templates`. */
  readonly edge: string
  readonly fields: string
  /** Shape of an entry; entries that are none of it are left out. */
  readonly entry: z.ZodType<T>
  readonly pageSize: number
  readonly maxPages: number
  /** Further parameters of the query. */
  readonly query?: Readonly<Record<string, string>>
  /** Sentence for a list that has more pages, or leads back to one. */
  readonly endless: string
}

/**
 * Yields a list of an account, page by page. Source: Meta, Graph API, cursor-based pagination.
 * @throws GraphCallFailed where a page fails, or the pages do not end.
 */
export async function* listPages<T>(
  { graph, businessAccountId, accessToken }: AccountAccess,
  { edge, fields, entry, pageSize, maxPages, query, endless }: Listed<T>,
): AsyncGenerator<T[]> {
  let after: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const page: z.infer<typeof pageSchema> = await graph.call('GET', `${businessAccountId}/${edge}`, {
      accessToken: accessToken.reveal(),
      query: { fields, limit: String(pageSize), ...query, ...(after && { after }) },
      answer: pageSchema,
    })
    yield page.data.flatMap((item) => entry.safeParse(item).data ?? [])
    const next = page.paging?.next === undefined ? undefined : page.paging.cursors?.after
    if (next === undefined) return
    if (next === after) break
    after = next
  }
  throw new GraphCallFailed(endless)
}

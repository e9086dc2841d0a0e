import { builtInSegments } from '@parley/contracts/contacts/segments'
import type { Tag } from '@parley/contracts/contacts/tags'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type Caused, causeOf } from '@parley/service-kit/http/context'
import { withTagRenamed } from '../../../platform/renamed-tag.ts'
import type { Caller } from '../contact-store.ts'
import type { RenamedIn } from '../jobs/job-inputs.ts'
import type { TagsRepository } from './tags.repository.ts'

type RenameTag = (
  ctx: WorkspaceScope & Caused,
  rename: { readonly tag: string; readonly to: string; readonly only?: readonly string[] | undefined },
  tx: Tx,
) => Promise<string[]>

/** Services whose records name tags beside contacts: campaigns that have not begun, saved segments and views. */
export type NamesTags = Readonly<Record<'campaigns' | 'segments' | 'views', { readonly renameTag: RenameTag }>>

/** Renames a tag in other records that name it; `only` in these. @returns the changed records. */
export const renameTagElsewhere = async (
  { campaigns, segments, views }: NamesTags,
  ctx: WorkspaceScope & Caused,
  { tag, to, only }: { readonly tag: string; readonly to: string; readonly only?: RenamedIn | undefined },
  tx: Tx,
): Promise<RenamedIn> => ({
  segments: await segments.renameTag(ctx, { tag, to, only: only?.segments }, tx),
  campaigns: await campaigns.renameTag(ctx, { tag, to, only: only?.campaigns }, tx),
  views: await views.renameTag(ctx, { tag, to, only: only?.views }, tx),
})

/** Changes tags themselves for members; the tags of contacts then change in a job. */
export function createTagsService({
  tags,
  transaction,
}: {
  tags: Pick<TagsRepository, 'colour'>
  transaction: RunInTransaction
}) {
  return {
    /** @throws `not_found`. */
    colour: (ctx: Caller, { tag, colour }: { tag: string; colour: Tag['colour'] }): Promise<void> =>
      transaction(async (tx) => {
        const { workspaceId } = ctx
        if (!(await tags.colour({ workspaceId }, tag, colour, tx))) throw errors.notFound('There is no such tag.')
        tx.emit({ workspaceId, type: 'tag.changed', by: causeOf(ctx), data: { tag } })
      }),
  }
}

/** Refuses the tags of built-in segments, which no one can change: they keep finding their contacts. @throws `tag_in_use`. */
export function refuseBuiltIn(tag: string): void {
  const segment = builtInSegments.find(({ filter }) => withTagRenamed(filter, tag, '') !== undefined)
  if (!segment) return
  throw new AppError(
    'tag_in_use',
    `${segment.name} is a segment of every workspace, and finds its contacts by the tag ${tag}.`,
  )
}

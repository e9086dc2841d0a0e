import type { Audience } from '@parley/contracts/campaigns/campaign-fields'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type Caused, causeOf } from '@parley/service-kit/http/context'
import { emitCampaignChanged } from './campaign-events.ts'
import type { CampaignsRepository } from './campaigns.repository.ts'
import type { AudienceNames } from './drafts/audience-names.ts'
import type { DraftRecord } from './drafts/drafts.model.ts'
import type { DraftsRepository } from './drafts/drafts.repository.ts'

/** Writes another name of a tag into the audiences of drafts and of campaigns that have not begun; `only` of these. @returns their ids. */
export function createRenameTag({
  campaigns,
  drafts,
  audienceNames,
}: {
  campaigns: Pick<CampaignsRepository, 'waitingFor' | 'change'>
  drafts: Pick<DraftsRepository, 'taggedWith' | 'write'>
  audienceNames: AudienceNames
}) {
  return async (
    ctx: WorkspaceScope & Caused,
    { tag, to, only }: { tag: string; to: string; only?: readonly string[] | undefined },
    tx: Tx,
  ): Promise<string[]> => {
    const renamed: string[] = []
    const by = causeOf(ctx)
    const emitChange = (changed: { id: string; workspaceId: string } | null) => {
      if (!changed) return
      emitCampaignChanged(changed, by, tx)
      renamed.push(changed.id)
    }
    const isMeant = ({ id }: Pick<DraftRecord, 'id'>) => !only || only.includes(id)
    const waiting = (await campaigns.waitingFor(ctx, tag, tx)).filter(isMeant)
    const written = (await drafts.taggedWith(ctx, tag, tx)).filter(isMeant)
    const nameOf = await audienceNames(
      ctx,
      [...waiting, ...written].flatMap(({ audience }) => audience ?? []),
    )
    const fieldsOf = (before: Audience) => {
      const audience = withTagRenamed(before, tag, to)
      const audienceName = nameOf(audience)
      return { audience, ...(audienceName !== undefined && { audienceName }) }
    }
    for (const { id, audience } of waiting)
      emitChange(
        await campaigns.change(
          ctx,
          id,
          { expected: { status: 'scheduled' }, update: { $set: fieldsOf(audience) } },
          tx,
        ),
      )
    for (const draft of written)
      if (draft.audience) emitChange(await drafts.write(ctx, draft, fieldsOf(draft.audience), tx))
    return renamed
  }
}

function withTagRenamed(audience: Audience, tag: string, to: string): Audience {
  const renamed = (tags: readonly string[]) => [...new Set(tags.map((name) => (name === tag ? to : name)))]
  const { exclude } = audience
  return {
    ...audience,
    ...(audience.kind === 'tags' && { tags: renamed(audience.tags) }),
    ...(exclude && { exclude: { ...exclude, tags: renamed(exclude.tags) } }),
  }
}

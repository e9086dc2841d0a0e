import type { NewEvent } from '@parley/contracts/events'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { tellCampaign } from './campaign-events.ts'
import { createCampaignsRepository } from './campaigns.repository.ts'
import { nameOfTags } from './drafts/audience-names.ts'
import type { DraftRecord } from './drafts/drafts.model.ts'
import { createDraftsRepository } from './drafts/drafts.repository.ts'

/** Writes another name of a tag into the audiences of drafts and of campaigns that have not begun; `only` of these. @returns their ids. */
export function createRenameTag(mongo: ServiceConnection, cursors: PageCursors) {
  const campaigns = createCampaignsRepository(mongo, cursors)
  const drafts = createDraftsRepository(mongo)
  return async (
    ctx: WorkspaceScope & { readonly userId: string },
    { tag, to, only }: { tag: string; to: string; only?: readonly string[] | undefined },
    tx: Tx,
  ): Promise<string[]> => {
    const renamed: string[] = []
    const by: NewEvent['by'] = { kind: 'user', id: ctx.userId }
    const tell = (changed: { id: string; workspaceId: string } | null) => {
      if (!changed) return
      tellCampaign(changed, by, tx)
      renamed.push(changed.id)
    }
    const audienceOf = ({ id, audience }: Pick<DraftRecord, 'id' | 'audience'>) => {
      if (audience?.kind !== 'tags' || (only && !only.includes(id))) return undefined
      const tags = [...new Set(audience.tags.map((name) => (name === tag ? to : name)))]
      return { audience: { kind: 'tags' as const, tags }, audienceName: nameOfTags(tags) }
    }
    for (const campaign of await campaigns.waitingFor(ctx, tag, tx)) {
      const $set = audienceOf(campaign)
      if ($set) tell(await campaigns.change(ctx, campaign.id, { seen: { status: 'scheduled' }, update: { $set } }, tx))
    }
    for (const draft of await drafts.taggedWith(ctx, tag, tx)) {
      const fields = audienceOf(draft)
      if (fields) tell(await drafts.write(ctx, draft, fields, tx))
    }
    return renamed
  }
}

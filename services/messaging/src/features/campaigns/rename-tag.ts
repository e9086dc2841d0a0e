import type { NewEvent } from '@parley/contracts/events'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { nameOfTags } from './campaign-changes.service.ts'
import { tellCampaign } from './campaign-events.ts'
import { createCampaignsRepository } from './campaigns.repository.ts'

/** Writes another name of a tag into the audiences of campaigns that have not begun; `only` of these. @returns their ids. */
export function createRenameTag(mongo: ServiceConnection, cursors: PageCursors) {
  const campaigns = createCampaignsRepository(mongo, cursors)
  return async (
    ctx: WorkspaceScope & { readonly userId: string },
    { tag, to, only }: { tag: string; to: string; only?: readonly string[] | undefined },
    tx: Tx,
  ): Promise<string[]> => {
    const renamed: string[] = []
    const by: NewEvent['by'] = { kind: 'user', id: ctx.userId }
    for (const { id, audience } of await campaigns.waitingFor(ctx, tag, tx)) {
      if (audience.kind !== 'tags' || (only && !only.includes(id))) continue
      const tags = [...new Set(audience.tags.map((name) => (name === tag ? to : name)))]
      const update = { $set: { audience: { kind: 'tags', tags }, audienceName: nameOfTags(tags) } } as const
      const changed = await campaigns.change(ctx, id, { seen: { status: 'scheduled' }, update }, tx)
      if (!changed) continue
      tellCampaign(changed, by, tx)
      renamed.push(id)
    }
    return renamed
  }
}

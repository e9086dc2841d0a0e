import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { campaignsIn } from './campaigns.model.ts'

/** Finds whether a campaign sends a file, above its text or on a card; its template may have got another one since. */
export function createCampaignFiles(connection: ServiceConnection) {
  const campaigns = campaignsIn(connection)
  return async (scope: WorkspaceScope, mediaId: string): Promise<boolean> => {
    const has = async (path: string, hint: string) =>
      (await campaigns(scope).countDocuments({ [path]: mediaId }, { hint, limit: 1 })) > 0
    return (
      (await has('template.headerMedia.file.mediaId', 'file')) ||
      (await has('template.cards.headerMedia.file.mediaId', 'card-file'))
    )
  }
}

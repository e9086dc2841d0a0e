import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type TemplateRecord, templateSchema } from './templates.model.ts'

/** Finds whether a file is the header of a template or of one of its cards, or of its draft; one that is deleted at WhatsApp has none. */
export function createTemplateFiles(connection: ServiceConnection) {
  const templates = workspaceCollection<TemplateRecord>({ connection, name: 'templates', schema: templateSchema })
  return async (scope: WorkspaceScope, mediaId: string): Promise<boolean> => {
    const count = (path: string, hint: string) =>
      templates(scope).countDocuments({ [path]: mediaId, deletedAt: { $exists: false } }, { hint })
    const counts = await Promise.all([
      count('headerMedia.file.mediaId', 'file'),
      count('draft.content.headerMedia.file.mediaId', 'draft-file'),
      count('cards.headerMedia.file.mediaId', 'card-file'),
      count('draft.content.cards.headerMedia.file.mediaId', 'draft-card-file'),
    ])
    return counts.some((count) => count > 0)
  }
}

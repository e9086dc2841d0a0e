import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type TemplateRecord, templateSchema } from './templates.model.ts'

/** Whether a file stands above the text of a template, or of its draft: it is kept then. */
export function createTemplateFiles(connection: ServiceConnection) {
  const templates = workspaceCollection<TemplateRecord>({ connection, name: 'templates', schema: templateSchema })
  return async (scope: WorkspaceScope, mediaId: string): Promise<boolean> => {
    const counts = await Promise.all([
      templates(scope).countDocuments({ 'headerMedia.file.mediaId': mediaId }, { hint: 'file' }),
      templates(scope).countDocuments({ 'draft.content.headerMedia.file.mediaId': mediaId }, { hint: 'draft-file' }),
    ])
    return counts.some((count) => count > 0)
  }
}

import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type TemplateRecord, templateSchema } from './templates.model.ts'

/** Finds whether a file is the header of a template, or of its draft; such a file is kept. */
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

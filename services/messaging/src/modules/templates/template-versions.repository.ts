import { maxVersions } from '@parley/contracts/templates/template-versions'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type TemplateVersionRecord, templateVersionSchema } from './template-versions.model.ts'

type NewVersion = Omit<TemplateVersionRecord, 'id' | 'workspaceId'>

export function createTemplateVersionsRepository(connection: ServiceConnection) {
  const versions = workspaceCollection<TemplateVersionRecord>({
    connection,
    name: 'templateVersions',
    schema: templateVersionSchema,
  })
  return {
    /** The latest first. */
    list: async (
      scope: WorkspaceScope,
      templateId: string,
      { session, limit = maxVersions }: SessionOption & { limit?: number } = {},
    ): Promise<TemplateVersionRecord[]> =>
      versions(scope)
        .find({ templateId })
        .sort({ number: -1 })
        .limit(limit)
        .hint('number')
        .session(session ?? null),
    read: (scope: WorkspaceScope, templateId: string, number: number): Promise<TemplateVersionRecord | null> =>
      versions(scope).findOne({ templateId, number }),
    add: (scope: WorkspaceScope, version: NewVersion, { session }: SessionOption) =>
      versions(scope).create(version, { session }),
    /** Stores the verdict on the version under review. */
    decide: (
      scope: WorkspaceScope,
      templateId: string,
      verdict: Pick<TemplateVersionRecord, 'outcome' | 'reason' | 'decidedAt'>,
      { session }: SessionOption,
    ) => versions(scope).updateOne({ templateId, outcome: 'pending' }, { $set: verdict }, { session }),
    remove: (scope: WorkspaceScope, id: string, { session }: SessionOption) =>
      versions(scope).deleteOne({ _id: id }, { session }),
  }
}

import { maxViews, type ViewScreen } from '@parley/contracts/inbox/views'
import { foldText } from '@parley/rules/fold-text'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type ViewRecord, viewSchema } from './views.model.ts'

type Session = Pick<Tx, 'session'>
type ViewFields = Pick<ViewRecord, 'ownerId' | 'screen' | 'query' | 'name'>

interface Change {
  readonly id: string
  readonly version: number
  readonly fields: Partial<ViewFields>
  readonly toAnswer: (record: ViewRecord) => unknown
}

export function createViewsRepository(connection: ServiceConnection) {
  const views = workspaceCollection<ViewRecord>({ connection, name: 'views', schema: viewSchema })
  const keyed = <F extends Partial<ViewFields>>(fields: F) => ({
    ...fields,
    ...(fields.name !== undefined && { nameKey: foldText(fields.name) }),
  })
  return {
    /** Lists the views of one owner, by name. */
    list: async (
      scope: WorkspaceScope,
      { screen, ownerId }: { screen: ViewScreen; ownerId: string | null },
      { session }: SessionOption = {},
    ): Promise<ViewRecord[]> =>
      views(scope)
        .find({ screen, ownerId })
        .sort({ nameKey: 1 })
        .limit(maxViews)
        .hint('name')
        .session(session ?? null),
    /** Returns shared and personal views of the workspace that name a tag, perhaps this one. */
    namingTags: async (scope: WorkspaceScope, tag: string, { session }: Session): Promise<ViewRecord[]> =>
      views(scope)
        .find({ $or: [{ 'query.tag': tag }, { 'query.tags': tag }, { 'query.conditions': { $exists: true } }] })
        .hint('name')
        .session(session),
    read: (scope: WorkspaceScope, id: string) => views(scope).findOne({ _id: id }),
    create: (scope: WorkspaceScope, fields: ViewFields, { session }: Session) =>
      views(scope).create({ ...fields, nameKey: foldText(fields.name) }, { session }),
    update: (scope: WorkspaceScope, { fields, ...change }: Change, { session }: Session) =>
      updateVersion(views(scope), { ...change, update: { $set: keyed(fields) } }, { session }),
    remove: async (scope: WorkspaceScope, id: string, { session }: Session): Promise<boolean> =>
      (await views(scope).deleteOne({ _id: id }, { session })).deletedCount > 0,
  }
}

import type { PageOf } from '@parley/contracts/core/records'
import type { Filter, SessionOption, Update } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { pageOf } from '@parley/service-kit/data/page'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ImportRecord, importSchema, type Phase, type RowsRecord, rowsSchema } from './imports.model.ts'

export type ImportsRepository = ReturnType<typeof createImportsRepository>

export function createImportsRepository(connection: ServiceConnection, cursors: PageCursors) {
  const definition = { connection, name: 'imports', schema: importSchema }
  const imports = workspaceCollection<ImportRecord>(definition)
  const withFile = scopedCollection<object, ImportRecord>(definition, () => ({ stored: 'file' }))
  const rows = workspaceCollection<RowsRecord>({ connection, name: 'importRows', schema: rowsSchema })

  return {
    insert: (scope: WorkspaceScope, record: Partial<Omit<ImportRecord, 'id'>>): Promise<ImportRecord> =>
      imports(scope).create(record),
    read: (scope: WorkspaceScope, id: string, options?: SessionOption): Promise<ImportRecord | null> =>
      imports(scope).findOne({ _id: id }, options),
    /** Names of their files, by id. */
    fileNames: async (scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, string>> => {
      const found = await imports(scope)
        .find({ _id: { $in: ids } })
        .select('fileName')
      return new Map(found.map(({ id, fileName }) => [id, fileName]))
    },
    /** The record as it is after the change; `null` where it is not as the filter says. */
    change: (
      scope: WorkspaceScope,
      filter: Filter<ImportRecord>,
      update: Update<ImportRecord>,
      options?: SessionOption,
    ): Promise<ImportRecord | null> => imports(scope).findOneAndUpdate(filter, update, options),
    list: (
      scope: WorkspaceScope,
      { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
    ): Promise<PageOf<ImportRecord>> =>
      pageOf(imports(scope), {
        sort: { index: 'newest', field: '_id', direction: -1 },
        cursors,
        workspaceId: scope.workspaceId,
        limit,
        cursor,
      }),
    /** Imports of all workspaces whose file is to be deleted. */
    expired: (now: Date): PromiseLike<ImportRecord[]> =>
      withFile({})
        .find({ keptUntil: { $lte: now } })
        .sort({ keptUntil: 1 })
        .limit(100)
        .hint('kept'),
    /** The last import of a file with this header that was carried out. */
    remembered: (scope: WorkspaceScope, headerKey: string): Promise<ImportRecord | null> =>
      imports(scope).findOne({ headerKey, state: 'done' }, { sort: { _id: -1 }, hint: 'remembered' }),

    addRows: (scope: WorkspaceScope, batch: Omit<RowsRecord, 'id' | 'workspaceId'>, tx: Pick<Tx, 'session'>) =>
      rows(scope).insertPlain([batch], { session: tx.session }),
    /** Returns rows from a batch on, in their order, one by one. */
    rowsFrom: (scope: WorkspaceScope, importId: string, phase: Phase, batch: number): AsyncIterable<RowsRecord> =>
      rows(scope)
        .find({ importId, phase, batch: { $gte: batch } })
        .sort({ batch: 1 })
        .hint('batch'),
    readRows: (scope: WorkspaceScope, importId: string, batch: number): Promise<RowsRecord | null> =>
      rows(scope).findOne({ importId, phase: 'run', batch }, { hint: 'batch' }),
    /** The contacts that rows of a batch have added or changed; null where there is no such batch. */
    peopleOf: async (scope: WorkspaceScope, importId: string, batch: number): Promise<string[] | null> => {
      const [found] = await rows(scope)
        .find({ importId, phase: 'run', batch })
        .limit(1)
        .select('rows.outcome rows.contactId')
        .hint('batch')
      const isStored = ({ outcome }: RowsRecord['rows'][number]) => outcome === 'created' || outcome === 'updated'
      return found ? found.rows.filter(isStored).flatMap(({ contactId }) => contactId ?? []) : null
    },
    saveRows: (
      scope: WorkspaceScope,
      { id, rows: changed, undone }: Pick<RowsRecord, 'id' | 'rows' | 'undone'>,
      tx: Pick<Tx, 'session'>,
    ) =>
      rows(scope).updateOne(
        { _id: id },
        { $set: { rows: changed, ...(undone && { undone }) } },
        { session: tx.session },
      ),
    dropRows: (scope: WorkspaceScope, importId: string, phase: Phase) => rows(scope).deleteMany({ importId, phase }),
  }
}

import { maxMacros, type NewMacro } from '@parley/contracts/inbox/macros'
import { foldText } from '@parley/rules/fold-text'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type MacroRecord, macroSchema } from './macros.model.ts'

interface Change {
  readonly id: string
  readonly version: number
  readonly fields: Partial<NewMacro>
  readonly toAnswer: (record: MacroRecord) => unknown
}

export function createMacrosRepository(connection: ServiceConnection) {
  const macros = workspaceCollection<MacroRecord>({ connection, name: 'macros', schema: macroSchema })
  const keyed = <F extends Partial<NewMacro>>(fields: F) => ({
    ...fields,
    ...(fields.name !== undefined && { nameKey: foldText(fields.name) }),
  })
  return {
    /** Lists macros by name. */
    list: async (scope: WorkspaceScope): Promise<MacroRecord[]> =>
      macros(scope).find({}).sort({ nameKey: 1 }).limit(maxMacros).hint('name'),
    read: (scope: WorkspaceScope, id: string) => macros(scope).findOne({ _id: id }),
    size: (scope: WorkspaceScope, { session }: Pick<Tx, 'session'>) =>
      macros(scope).countDocuments({}, { hint: 'name', session }),
    create: (scope: WorkspaceScope, fields: NewMacro, { session }: Pick<Tx, 'session'>) =>
      macros(scope).create(keyed(fields), { session }),
    update: (scope: WorkspaceScope, { fields, ...change }: Change) =>
      updateVersion(macros(scope), { ...change, update: { $set: keyed(fields) } }),
    remove: async (scope: WorkspaceScope, id: string): Promise<boolean> =>
      (await macros(scope).deleteOne({ _id: id })).deletedCount > 0,
  }
}

import { maxAttributes, type NewAttribute } from '@parley/contracts/contacts/contact-attributes'
import { foldText } from '@parley/rules/fold-text'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { updateVersion } from '@parley/service-kit/data/versioned'
import { type AttributeRecord, attributeSchema } from './attributes.model.ts'

type Session = Pick<Tx, 'session'>
type AttributeFields = Pick<NewAttribute, 'label' | 'type' | 'choices'> & Pick<AttributeRecord, 'importId'>

interface Change {
  readonly id: string
  readonly version: number
  readonly fields: AttributeFields
  readonly toAnswer: (record: AttributeRecord) => unknown
}

export function createAttributesRepository(connection: ServiceConnection) {
  const attributes = workspaceCollection<AttributeRecord>({
    connection,
    name: 'contactAttributes',
    schema: attributeSchema,
  })
  const keyed = (fields: AttributeFields) => ({ ...fields, labelKey: foldText(fields.label) })
  return {
    /** Lists attributes by label. */
    list: async (scope: WorkspaceScope, options: SessionOption = {}): Promise<AttributeRecord[]> =>
      attributes(scope)
        .find({})
        .sort({ labelKey: 1 })
        .limit(maxAttributes)
        .hint('label')
        .session(options.session ?? null),
    create: (scope: WorkspaceScope, name: string, fields: AttributeFields, { session }: Session) =>
      attributes(scope).create({ name, nameKey: foldText(name), ...keyed(fields) }, { session }),
    update: (scope: WorkspaceScope, { fields, ...change }: Change, { session }: Session) =>
      updateVersion(attributes(scope), { ...change, update: { $set: keyed(fields) } }, { session }),
    /** Removes a definition that is as an import has made it. */
    removeUnchanged: async (scope: WorkspaceScope, { id, version }: AttributeRecord, { session }: Session) =>
      (await attributes(scope).deleteOne({ _id: id, version }, { session })).deletedCount > 0,
    remove: async (scope: WorkspaceScope, id: string, { session }: Session): Promise<boolean> =>
      (await attributes(scope).deleteOne({ _id: id }, { session })).deletedCount > 0,
  }
}

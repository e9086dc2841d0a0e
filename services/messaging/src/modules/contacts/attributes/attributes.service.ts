import {
  type Attribute,
  type attributesApi,
  attributeValue,
  maxAttributes,
  type NewAttribute,
} from '@parley/contracts/contacts/contact-attributes'
import { contactFields } from '@parley/contracts/contacts/contact-fields'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { foldText } from '@parley/rules/fold-text'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { causeOf } from '@parley/service-kit/http/context'
import type { HoldLimit } from '../../../platform/limits/hold-limit.ts'
import type { Caller } from '../contact-store.ts'
import type { AttributeRecord } from './attributes.model.ts'
import { createAttributesRepository } from './attributes.repository.ts'

type Changes = EndpointInput<typeof attributesApi.update>['body']

export type AttributesService = ReturnType<typeof createAttributesService>

/** Labels that every contact has without a definition: its own fields, and the city that each form asks for. */
const builtIn = new Set(['city', 'tags', ...Object.values(contactFields).map(({ label }) => label.toLowerCase())])

/** Fields that a workspace defines for its contacts. */
export function createAttributesService({
  mongo,
  holdLimit,
  transaction,
}: {
  mongo: ServiceConnection
  holdLimit: HoldLimit
  transaction: RunInTransaction
}) {
  const attributes = createAttributesRepository(mongo)
  const list = async (scope: WorkspaceScope): Promise<Attribute[]> => (await attributes.list(scope)).map(toAttribute)

  /** @throws `attribute_exists`, `too_many_attributes`. */
  async function create(ctx: Caller, { name, ...fields }: NewAttribute): Promise<Attribute> {
    refuseBuiltIn(fields.label)
    const made = transaction(async (tx) => {
      await holdLimit(ctx, 'attributes', tx)
      const known = await attributes.list(ctx, tx)
      if (known.length >= maxAttributes) throw tooMany()
      const record = await attributes.create(ctx, nameFor(name ?? fields.label, known), fields, tx)
      emitChange(ctx, record.id, tx)
      return record
    })
    return toAttribute(await made.catch(refuseTaken(fields.label)))
  }

  /** @throws `not_found`, `attribute_exists`, `stale_version`. */
  async function update(ctx: Caller, id: string, { version, name: _name, ...fields }: Changes): Promise<Attribute> {
    if (!isId(id)) throw noSuchField()
    refuseBuiltIn(fields.label)
    const changed = transaction(async (tx) => {
      const record = await attributes.update(ctx, { id, version, fields, toAnswer: toAttribute }, tx)
      emitChange(ctx, id, tx)
      return record
    })
    return toAttribute(await changed.catch(refuseTaken(fields.label)))
  }

  /** @throws `not_found`. */
  async function remove(ctx: Caller, id: string): Promise<void> {
    if (!isId(id)) throw noSuchField()
    await transaction(async (tx) => {
      if (!(await attributes.remove(ctx, id, tx))) throw noSuchField()
      emitChange(ctx, id, tx)
    })
  }

  /**
   * Defines a text for each column of a file that has no definition yet, as long as there is room.
   * @param headers `undefined` for a column of another meaning.
   */
  async function ensure(ctx: Caller, headers: readonly (string | undefined)[], importId: string): Promise<void> {
    const names = headers.flatMap((header) => (header === undefined ? [] : [header.slice(0, 64)]))
    if (names.length === 0) return
    const add = () =>
      transaction(async (tx) => {
        await holdLimit(ctx, 'attributes', tx)
        const known = [...(await attributes.list(ctx, tx))]
        for (const name of names) {
          if (known.length >= maxAttributes || builtIn.has(name.toLowerCase()) || attributeNamed(known, name)) continue
          const fields = { label: name.slice(0, 60).trim(), type: 'text' as const, choices: [], importId }
          const record = await attributes.create(ctx, name, fields, tx)
          known.push(record)
          emitChange(ctx, record.id, tx)
        }
      })
    // Another member has defined one of them meanwhile: it is found this time.
    await add().catch((error: unknown) => (isDuplicateKey(error) ? add() : Promise.reject(error)))
  }

  /** Returns the definitions that an import has made and nobody has changed. */
  const madeBy = async (scope: WorkspaceScope, importId: string): Promise<AttributeRecord[]> =>
    (await attributes.list(scope)).filter((record) => record.importId === importId && record.version === 1)

  /** Removes definitions that are still unchanged. @returns their labels. */
  async function removeMade(ctx: Caller, records: readonly AttributeRecord[], tx: Tx): Promise<string[]> {
    const removed: string[] = []
    for (const record of records) {
      if (!(await attributes.removeUnchanged(ctx, record, tx))) continue
      emitChange(ctx, record.id, tx)
      removed.push(record.label)
    }
    return removed
  }

  /**
   * Returns the values that a member has entered, each in its one form. Unchanged values are not checked.
   * @throws `validation_failed` with the problem of each field.
   */
  async function checked(
    scope: WorkspaceScope,
    input: Readonly<Record<string, string>>,
    before: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, string>> {
    const entered = Object.entries(input).filter(([name, value]) => before[name] !== value)
    if (entered.length === 0) return { ...input }
    const byName = new Map((await attributes.list(scope)).map((attribute) => [attribute.name, attribute]))
    const problems: Record<string, string> = {}
    const values = { ...input }
    for (const [name, text] of entered) {
      const attribute = byName.get(name)
      const found = attribute ? attributeValue(toAttribute(attribute), text) : { value: text }
      if ('problem' in found) problems[`attributes.${name}`] = found.problem
      else if (found.value === '') delete values[name]
      else values[name] = found.value
    }
    if (Object.keys(problems).length > 0) throw errors.validation(problems)
    return values
  }

  /** The definition of each column of a file that has one. */
  async function ofColumns(scope: WorkspaceScope, headers: readonly (string | undefined)[]) {
    const known = headers.some((header) => header !== undefined) ? await attributes.list(scope) : []
    return headers.map((header) => {
      const record = header === undefined ? undefined : attributeNamed(known, header.slice(0, 64))
      return record && toAttribute(record)
    })
  }

  /** Returns the label of each field, by the name that it is stored under. */
  async function labels(scope: WorkspaceScope): Promise<(name: string) => string | undefined> {
    const byName = new Map((await attributes.list(scope)).map(({ name, label }) => [name, label]))
    return (name) => byName.get(name)
  }

  return { list, create, update, remove, ensure, madeBy, removeMade, ofColumns, checked, labels }
}

/** The definition that a column of a file means. */
function attributeNamed(known: readonly AttributeRecord[], header: string): AttributeRecord | undefined {
  const key = foldText(header)
  return known.find(({ nameKey }) => nameKey === key) ?? known.find(({ labelKey }) => labelKey === key)
}

/** A field that was renamed keeps its name, which another one then cannot have. */
function nameFor(wanted: string, known: readonly AttributeRecord[]): string {
  const names = new Set(known.map(({ nameKey }) => nameKey))
  for (let number = 2, name = wanted; ; name = `${wanted} ${number++}`) if (!names.has(foldText(name))) return name
}

const emitChange = (ctx: Caller, attributeId: string, tx: Pick<Tx, 'emit'>): void =>
  tx.emit({ workspaceId: ctx.workspaceId, type: 'attribute.changed', by: causeOf(ctx), data: { attributeId } })

const noSuchField = () => errors.notFound('There is no such field.')
const tooMany = () =>
  new AppError('too_many_attributes', `A workspace has at most ${maxAttributes} fields. Delete one first.`)
const exists = (message: string) => new AppError('attribute_exists', message, { fields: { label: message } })

function refuseBuiltIn(label: string): void {
  if (builtIn.has(label.toLowerCase())) throw exists('Every contact has this field already.')
}

const refuseTaken = (label: string) => (error: unknown) => {
  if (isDuplicateKey(error)) throw exists(`There is a field named ${label} already.`)
  throw error
}

const toAttribute = ({ id, name, label, type, choices, version }: AttributeRecord): Attribute => ({
  id,
  name,
  label,
  type,
  choices: [...choices],
  version,
})

import { type contactsApi, type ImportResult, type NewContact, newContactSchema } from '@parley/contracts/contacts'
import type { EndpointInput } from '@parley/contracts/endpoint'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import type { Tx } from '@parley/service-kit/data/transaction'
import { attributesOf, newContactFields, normalPhone, searchKeys, toAttributes } from './contact-fields.ts'
import type { Caller, ContactChange, ContactStore } from './contact-store.ts'
import type { ContactRecord } from './contacts.model.ts'
import type { ContactsRepository } from './contacts.repository.ts'
import type { TagsRepository } from './tags.repository.ts'

type Batch = EndpointInput<typeof contactsApi.importRows>['body']
type Row = ImportResult['rows'][number]
type Fields = Required<ContactChange['fields']>

/** A contact as the rows so far have made it. */
interface Draft {
  readonly id: string
  /** As it is stored; undefined for one that these rows add. */
  readonly record: ContactRecord | undefined
  readonly isLive: boolean
  readonly fields: Fields
}

const mostTags = 50

interface Dependencies {
  readonly contacts: Pick<ContactsRepository, 'byPhones'>
  readonly tags: TagsRepository
  readonly store: ContactStore
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** Adds or updates contacts from rows of a file. */
export function createContactImportService({ contacts, tags, store, transaction }: Dependencies) {
  /** One that is wrong keeps no other row from being imported; all that are right are stored together. */
  async function importRows(ctx: Caller, batch: Batch): Promise<ImportResult> {
    const parsed = batch.rows.map(({ line, ...fields }) => ({ line, ...newContactSchema.safeParse(fields) }))
    const valid = parsed.flatMap(({ data }) => (data ? [{ ...data, phone: normalPhone(data.phone) }] : []))
    const phones = [...new Set(valid.map(({ phone }) => phone))]
    const read = async (tx?: Tx) => draftsOf(phones.length > 0 ? await contacts.byPhones(ctx, phones, tx) : [])
    if (batch.dryRun) return { rows: outcomes(parsed, await read(), batch) }
    await tags.ensure(
      ctx,
      valid.flatMap((row) => row.tags),
    )
    const run = () =>
      transaction(async (tx) => {
        const drafts = await read(tx)
        const before = new Map(drafts)
        const rows = outcomes(parsed, drafts, batch)
        const changed = [...drafts].filter(([phone, draft]) => before.get(phone) !== draft).map(([, draft]) => draft)
        await write(ctx, changed, tx)
        return { rows }
      })
    return run().catch((error: unknown) => {
      // Another call has added one of the numbers meanwhile: now it is found.
      if (isDuplicateKey(error)) return run()
      throw error
    })
  }

  async function write(ctx: Caller, drafts: readonly Draft[], tx: Tx): Promise<void> {
    const added = drafts.flatMap(({ id, record, fields }) =>
      record ? [] : [{ ...newContactFields('import'), ...fields, ...searchKeys(fields), _id: id }],
    )
    const changes = drafts.flatMap(({ record, fields }) => (record ? [{ record, fields, live: true }] : []))
    await store.insert(ctx, added, tx)
    await store.save(ctx, changes, tx)
  }

  return { importRows }
}

type ParsedRow = { readonly line: number } & ReturnType<typeof newContactSchema.safeParse>

const draftsOf = (records: readonly ContactRecord[]): Map<string, Draft> =>
  new Map(
    records.flatMap((record) => {
      const { id, name, phone, tags, attributes, live } = record
      return phone === undefined
        ? []
        : [[phone, { id, record, isLive: live, fields: { name, phone, tags, attributes } }] as const]
    }),
  )

/** The outcome of each row, in their order; `drafts` are brought up to date on the way. */
function outcomes(
  parsed: readonly ParsedRow[],
  drafts: Map<string, Draft>,
  { dryRun, onDuplicate }: Pick<Batch, 'dryRun' | 'onDuplicate'>,
): Row[] {
  return parsed.map(({ line, data, error }): Row => {
    if (!data) return { line, outcome: 'invalid', message: error.issues[0]?.message.slice(0, 300) ?? 'Not valid' }
    const row = { ...data, phone: normalPhone(data.phone) }
    const known = drafts.get(row.phone)
    const idOf = ({ id }: Draft) => (dryRun ? {} : { id })
    if (known?.isLive) {
      const { draft, ...outcome } = update(known, row, onDuplicate)
      if (draft) drafts.set(row.phone, draft)
      return { line, ...outcome, ...idOf(known) }
    }
    const fields = { ...row, attributes: toAttributes(row.attributes) }
    const draft = { id: known?.id ?? newId(), record: known?.record, isLive: true, fields }
    drafts.set(row.phone, draft)
    return { line, outcome: 'created', ...idOf(draft) }
  })
}

/** An update replaces the name, adds tags and attributes, and takes nothing away. */
function update(
  known: Draft,
  { name, tags, attributes }: NewContact,
  onDuplicate: Batch['onDuplicate'],
): Pick<Row, 'outcome' | 'message'> & { draft?: Draft } {
  const before = known.fields
  if (onDuplicate === 'skip')
    return { outcome: 'skipped', message: `${before.name} already has this phone number.`.slice(0, 300) }
  const merged = [...new Set([...before.tags, ...tags])].slice(0, mostTags)
  const values = attributesOf(before)
  const isNews =
    name !== before.name ||
    merged.length !== before.tags.length ||
    Object.entries(attributes).some(([key, value]) => values[key] !== value)
  if (!isNews) return { outcome: 'skipped', message: 'Already up to date.' }
  const fields = { ...before, name, tags: merged, attributes: toAttributes({ ...values, ...attributes }) }
  return { outcome: 'updated', draft: { ...known, fields } }
}

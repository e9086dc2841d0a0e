import type { ImportCounts, ImportRecord as ShownImport } from '@parley/contracts/contacts/imports'
import { Schema } from 'mongoose'

/** An import: a file, how it is read, and how far that has come. */
export interface ImportRecord
  extends Omit<
    ShownImport,
    | 'createdAt'
    | 'updatedAt'
    | 'startedBy'
    | 'keptUntil'
    | 'columns'
    | 'undone'
    | 'removedFields'
    | 'firstRows'
    | 'encodings'
    | 'unclear'
  > {
  readonly workspaceId: string
  readonly columns: ShownImport['columns']
  readonly undone: NonNullable<ShownImport['undone']> | null
  readonly removedFields?: readonly string[]
  readonly startedBy: string
  /** Cells of the file; absent once it is deleted. */
  readonly firstRows?: ShownImport['firstRows']
  readonly encodings?: ShownImport['encodings']
  readonly unclear?: ShownImport['unclear']
  /** The file's header: a later file with the same one is read like this one. */
  readonly headerKey: string
  /** The stored file; absent once it is deleted. */
  readonly fileId?: string
  /** Set as long as the file is stored: finds imports of all workspaces that have expired. */
  readonly stored?: 'file'
  /** The job that works on it in its state; a job of another state finds that it is over. */
  readonly jobId?: string
  /** Batches of the run, which an undo takes one by one. */
  readonly batches: number
  readonly keptUntil?: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

const count = { type: Number, required: true }
const idField = { type: Schema.Types.ObjectId, required: true }
const plain = { _id: false, id: false } as const
const options = { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const importSchema = new Schema(
  {
    workspaceId: idField,
    fileName: { type: String, required: true },
    sizeBytes: count,
    format: { type: Schema.Types.Mixed, required: true },
    columns: { type: [Schema.Types.Mixed], required: true },
    headerKey: { type: String, required: true },
    headerRow: count,
    firstRows: { type: [Schema.Types.Mixed], default: undefined },
    encodings: { type: [Schema.Types.Mixed], default: undefined },
    sheets: { type: [String], required: true },
    digits: { type: String, default: null },
    unclear: { type: Schema.Types.Mixed },
    purpose: { type: String, required: true },
    country: { type: String, required: true },
    tags: { type: [String], required: true },
    allAgreed: { type: Boolean, required: true },
    evidence: { type: String, default: '' },
    state: { type: String, required: true },
    percent: count,
    counts: { type: new Schema({ created: count, updated: count, skipped: count, invalid: count }, plain) },
    consentRefused: count,
    undone: { type: new Schema({ removed: count, restored: count, kept: count }, plain), default: null },
    removedFields: { type: [String], default: undefined },
    problem: { type: String, default: null },
    startedBy: idField,
    fileId: { type: Schema.Types.ObjectId },
    stored: { type: String },
    jobId: { type: Schema.Types.ObjectId },
    batches: count,
    keptUntil: { type: Date },
    version: count,
  },
  options,
)
importSchema.index({ workspaceId: 1, _id: 1 }, { name: 'newest' })
importSchema.index(
  { workspaceId: 1, headerKey: 1, _id: -1 },
  { name: 'remembered', partialFilterExpression: { state: 'done' } },
)
importSchema.index({ stored: 1, keptUntil: 1 }, { name: 'kept', partialFilterExpression: { stored: 'file' } })
importSchema.index({ createdAt: 1 }, { name: 'expiry', expireAfterSeconds: 365 * 86_400 })

/** Change by a row to an existing contact, stored so that it can be undone. */
export interface StoredChange {
  /** An attribute has its key. */
  readonly field: 'name' | 'phone' | 'waUserId' | 'tags' | 'consent' | 'attribute'
  readonly key?: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Outcome of one row, or what it would be. */
export interface StoredRow {
  readonly line: number
  readonly outcome: keyof ImportCounts
  readonly name: string
  /** Phone number; empty where the row has none. */
  readonly phone: string
  readonly waUserId?: string
  readonly value?: string
  readonly reason?: string
  readonly contactId?: string
  /** The contact's `editedVersion` after the import: another one says that the contact was changed since. */
  readonly version?: number
  readonly changes?: readonly StoredChange[]
  readonly undone?: 'removed' | 'restored' | 'kept'
}

export type Phase = 'check' | 'run'

/** The rows of one batch, written in the transaction that imports them. */
export interface RowsRecord {
  readonly id: string
  readonly workspaceId: string
  readonly importId: string
  readonly phase: Phase
  /** Batches are numbered from 0. */
  readonly batch: number
  readonly counts: ImportCounts
  readonly rows: readonly StoredRow[]
  readonly undone?: { readonly removed: number; readonly restored: number; readonly kept: number }
  readonly expiresAt: Date
}

export const rowsSchema = new Schema(
  {
    workspaceId: idField,
    importId: idField,
    phase: { type: String, required: true },
    batch: count,
    counts: { type: Schema.Types.Mixed, required: true },
    rows: { type: Schema.Types.Mixed, required: true },
    undone: { type: Schema.Types.Mixed },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
rowsSchema.index({ workspaceId: 1, importId: 1, phase: 1, batch: 1 }, { name: 'batch', unique: true })
rowsSchema.index({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })

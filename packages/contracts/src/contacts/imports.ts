import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import {
  byId,
  countSchema,
  idSchema,
  pageOf,
  pageQueryFields,
  percentSchema,
  storedFields,
  timeSchema,
} from '../core/records.ts'
import {
  columnSchema,
  formatSchema,
  importEncodings,
  importLimits,
  importTargets,
  maxHeaderRow,
} from './import-files.ts'
import { tagNameSchema } from './tags.ts'

/** Treatment of contacts that exist already, and of new ones. */
const importPurposes = ['both', 'add', 'update'] as const

const digitsReadings = ['national', 'international'] as const

const settingsFields = {
  /** Row of the column names, from 1, empty rows not counted: rows above it are left out. 0 where there is none. */
  headerRow: z.number().int().min(0).max(maxHeaderRow),
  /** Reading of digits without a plus that may be two different numbers; `null` until a member has chosen one. */
  digits: z.enum(digitsReadings).nullable(),
  purpose: z.enum(importPurposes),
  /** ISO 3166-1 alpha-2: the country of numbers that do not say theirs. */
  country: z.string().regex(/^[A-Z]{2}$/),
  /** Every contact of the file gets these. */
  tags: z.array(tagNameSchema).max(50),
  /** Everybody in the file has agreed to marketing. Needs the evidence, and no consent column. */
  allAgreed: z.boolean(),
  /** Proof for later: how and when consent was given. */
  evidence: z.string().trim().max(50),
}

/** Rows by what becomes of them; their sum is the number of rows. */
const countsSchema = z.object({
  created: countSchema,
  updated: countSchema,
  skipped: countSchema,
  invalid: countSchema,
})
export type ImportCounts = z.infer<typeof countsSchema>

const importStates = [
  /** Columns are matched. */
  'draft',
  'checking',
  'checked',
  'running',
  'done',
  /** Cancelled: what was imported until then stays. */
  'stopped',
  'failed',
  'undoing',
  'undone',
] as const

const importSchema = z.object({
  ...storedFields,
  fileName: z.string().max(240),
  sizeBytes: countSchema,
  format: formatSchema,
  columns: z.array(columnSchema).max(importLimits.columns),
  ...settingsFields,
  /** The first rows that are not empty, to choose the column names from. */
  firstRows: z.array(z.object({ line: z.number().int().positive(), text: z.string().max(160) })).max(maxHeaderRow),
  /** The first line with other letters than ASCII in each encoding that the file may have; none where it tells itself. */
  encodings: z.array(z.object({ encoding: z.enum(importEncodings), sample: z.string().max(80) })).max(20),
  /** Names of a workbook's sheets that people see: the one that is read is `format.sheet`, else the first. */
  sheets: z.array(z.string().max(100)).max(500),
  /** Numbers without a plus that may be two different ones, as the last check has found and read them. */
  unclear: z
    .object({
      count: countSchema,
      /** `null` where their rows are left out until a member decides. */
      readAs: z.enum(digitsReadings).nullable(),
      written: z.string().max(80),
      national: z.string().max(24),
      international: z.string().max(24),
    })
    .nullable(),
  state: z.enum(importStates),
  /** Progress through the file, in states that read it. */
  percent: percentSchema,
  /** Counts of the dry run until the import runs, then of the import. */
  counts: countsSchema,
  /** Rows without the consent that their cell asks for: it cannot be read, or the customer has opted out themselves. */
  consentRefused: countSchema.default(0),
  /** Result of an undo. */
  undone: z.object({ removed: countSchema, restored: countSchema, kept: countSchema }).nullable(),
  /** Labels of the fields that it had defined and its undo has removed, since nothing uses them. */
  removedFields: z.array(z.string().max(60)).max(importLimits.columns).default([]),
  /** Reason why it is a draft again, or has failed. */
  problem: z.string().max(300).nullable(),
  startedBy: idSchema,
  /** Time until which file and rows are kept, and an import can be undone; `null` once they are deleted. */
  keptUntil: timeSchema.nullable(),
})
export type ImportRecord = z.infer<typeof importSchema>

const common = { access: 'session', permission: 'contacts:import' } as const
const changed = { params: byId, status: 200, response: importSchema, errors: ['not_found', 'wrong_state'] } as const

export const importsApi = {
  create: defineEndpoint({
    ...common,
    operation: 'imports.create',
    method: 'POST',
    path: '/api/imports',
    summary:
      'Uploads a CSV or XLSX file as the request body and suggests a mapping of its columns. Nothing is imported yet.',
    query: z.object({ name: z.string().min(1).max(240) }),
    bodyType: 'stream',
    bodyLimitBytes: importLimits.bytes,
    status: 201,
    response: importSchema,
    errors: ['validation_failed', 'body_too_large'],
  }),
  list: defineEndpoint({
    ...common,
    operation: 'imports.list',
    method: 'GET',
    path: '/api/imports',
    summary: 'Imports, newest first.',
    query: z.object({ limit: pageQueryFields.limit, cursor: pageQueryFields.cursor }),
    status: 200,
    response: pageOf(importSchema),
    errors: [],
  }),
  read: defineEndpoint({
    ...common,
    operation: 'imports.read',
    method: 'GET',
    path: '/api/imports/:id',
    summary: 'One import with its progress.',
    params: byId,
    status: 200,
    response: importSchema,
    errors: ['not_found'],
  }),
  update: defineEndpoint({
    ...common,
    ...changed,
    operation: 'imports.update',
    method: 'PATCH',
    path: '/api/imports/:id',
    summary:
      'Sets the column mapping and how the file and its rows are read. An earlier check has to be repeated; another encoding, sheet or header row suggests the columns anew.',
    body: z.object({
      ...z.object(settingsFields).partial().shape,
      /** Reads the file again; its columns are suggested again. */
      encoding: z.enum(importEncodings).optional(),
      /** Reads another sheet of the workbook. */
      sheet: z.string().max(100).optional(),
      targets: z.array(z.enum(importTargets)).max(importLimits.columns).optional(),
    }),
  }),
  check: defineEndpoint({
    ...common,
    ...changed,
    operation: 'imports.check',
    method: 'POST',
    path: '/api/imports/:id/check',
    summary: 'A dry run: what an import would do with each row. Changes no contact.',
  }),
  run: defineEndpoint({
    ...common,
    ...changed,
    operation: 'imports.run',
    method: 'POST',
    path: '/api/imports/:id/run',
    summary: 'Starts the import that was checked.',
    /** `true` where workflows that wait for new or changed contacts start for each of them. */
    query: z.object({ startWorkflows: z.enum(['true', 'false']).optional() }),
  }),
  cancel: defineEndpoint({
    ...common,
    ...changed,
    operation: 'imports.cancel',
    method: 'POST',
    path: '/api/imports/:id/cancel',
    summary: 'Stops a check or an import. Contacts imported so far stay, and can be undone.',
  }),
  undo: defineEndpoint({
    ...common,
    ...changed,
    operation: 'imports.undo',
    method: 'POST',
    path: '/api/imports/:id/undo',
    summary: 'Removes what an import created and restores what it changed, except where it was changed again since.',
  }),
}

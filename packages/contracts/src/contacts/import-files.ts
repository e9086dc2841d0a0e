import { z } from 'zod'

/** Limits of one file. */
export const importLimits = { bytes: 50 * 1024 * 1024, rows: 1_000_000, columns: 300 } as const

/**
 * Targets of a column. Several `name` columns are joined; each single target has one column. `other_phone` is used where the
 * phone column has no valid number, and is a detail otherwise; `calling_code` (`91`, `+91`, `IN`) precedes numbers that do not
 * state their country.
 */
export const importTargets = [
  'name',
  'phone',
  'other_phone',
  'calling_code',
  'user_id',
  'tags',
  'attribute',
  'consent',
  'ignore',
] as const
export type ImportTarget = (typeof importTargets)[number]
export const singleTargets = [
  'phone',
  'calling_code',
  'user_id',
  'tags',
  'consent',
] as const satisfies readonly ImportTarget[]

/** Labels of the Encoding Standard, as `TextDecoder` takes them. */
export const importEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'macintosh',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
] as const
export type ImportEncoding = (typeof importEncodings)[number]
export const importDelimiters = [',', ';', '\t', '|'] as const

export const formatSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('csv'),
    encoding: z.enum(importEncodings),
    delimiter: z.enum(importDelimiters),
    /** Use of a backslash: it escapes a quote inside quotes, or writes as a letter (`\\n`, `\\t`) what would end a cell. */
    escapes: z.enum(['quotes', 'letters']).optional(),
  }),
  /** One sheet of a workbook, by its name; else the first one that people see. */
  z.object({ kind: z.literal('xlsx'), sheet: z.string().max(100).optional() }),
  /** A file of contact cards; each line may also say its own encoding. */
  z.object({ kind: z.literal('vcard'), encoding: z.enum(importEncodings) }),
])
export type ImportFormat = z.infer<typeof formatSchema>

export const columnSchema = z.object({
  /** The file's own name of it, or `Column 3`. */
  header: z.string().max(200),
  /** Cells of the first rows. */
  samples: z.array(z.string().max(80)).max(3),
  target: z.enum(importTargets),
  /** Reason for the suggestion, for people. */
  reason: z.string().max(200).optional(),
})
export type ImportColumn = z.infer<typeof columnSchema>

/** Maximum rows among which the column names are looked for. */
export const maxHeaderRow = 20

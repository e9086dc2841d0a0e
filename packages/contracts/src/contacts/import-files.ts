import { z } from 'zod'

/** What one file may have. */
export const importLimits = { bytes: 50 * 1024 * 1024, rows: 1_000_000, columns: 300 } as const

/**
 * What a column becomes. Several that become the name are joined; of the single ones there is one each. `other_phone` is used
 * where the phone column has no valid number, and is a detail else; `calling_code` (`91`, `+91`, `IN`) goes before numbers
 * that do not say their country.
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

/** By their labels of the Encoding Standard, which is what `TextDecoder` takes. */
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
    /** What a backslash escapes: a quote inside quotes, or as a letter (`\\n`, `\\t`) what would end a cell. */
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
  /** Why it was suggested, for people. */
  reason: z.string().max(200).optional(),
})
export type ImportColumn = z.infer<typeof columnSchema>

/** Rows among which the column names are looked for. */
export const maxHeaderRow = 20

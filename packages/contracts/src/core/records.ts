import { z } from 'zod'

/** Opaque id of any record; ObjectId hex on live data. */
export const idSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/)

/** Name of an entry of a record that people fill: none that a database or JavaScript takes for something of its own. */
export const recordKey = z
  .string()
  .min(1)
  .max(64)
  .refine((key) => !key.includes('\0') && key !== '__proto__', 'This name cannot be used')

/** ISO 8601, UTC. */
export const timeSchema = z.iso.datetime()

/** A day that a person plans with; calendars end elsewhere. */
export const daySchema = z.iso
  .date('Choose a date')
  .refine((day) => day >= '2000-01-01' && day <= '2099-12-31', 'Choose a date between 2000 and 2099')

export const countSchema = z.number().int().nonnegative()

/** 0–100. */
export const percentSchema = z.number().min(0).max(100)

/** E.164: `+919876543210`. Invisible marks that come along when a number is copied, and full-width signs, do not count. */
export const phoneSchema = z
  .string()
  .max(64)
  .overwrite((text) =>
    text
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '')
      .trim(),
  )
  .regex(/^\+[1-9]\d{6,14}$/, 'Enter a phone number with its country code')

/** Fields that every stored record has. A change sends the `version` it has seen; an older one is 409 `stale_version`. */
export const storedFields = {
  id: idSchema,
  createdAt: timeSchema,
  updatedAt: timeSchema,
  version: z.number().int().positive(),
}

export const byId = z.object({ id: idSchema })

/** A list in a query string: `tags=vip,lead`, or the array itself in the browser. One without an item is none: `tags=` filters nothing out. */
export const listOf = <T extends z.ZodType<unknown, string>>(item: T, max = 50) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? partsOf(value) : value),
    z.array(item).max(max).optional(),
  ) as z.ZodType<z.infer<T>[] | undefined, readonly z.input<T>[] | string | undefined>

function partsOf(text: string): string[] | undefined {
  const parts = text.split(',').filter((part) => part !== '')
  return parts.length > 0 ? parts : undefined
}

/** Query fields of every list call beside its own filters. `cursor` is a page's `nextCursor` or `previousCursor`. */
export const pageQueryFields = {
  q: z.string().trim().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional().describe('At most this many on a page.'),
  cursor: z.string().max(512).optional().describe('`nextCursor` or `previousCursor` of a page, with the same filters.'),
}

/** Part of every list of records. */
export const leftOutField = {
  /** Records that are missing from `items` because they cannot be read: operators know which. */
  leftOut: z.number().int().positive().optional(),
}

/** Items a page has unless the query says otherwise. */
export const defaultPageSize = 25

/**
 * One page of a list, in the order of its `sort`. `total` counts everything that the filters match; above 10,000 it may
 * be `approximate`.
 */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item).max(100),
    nextCursor: z.string().max(512).nullable(),
    previousCursor: z.string().max(512).nullable(),
    total: countSchema,
    approximate: z.literal(true).optional(),
    ...leftOutField,
  })

export interface PageOf<T> {
  items: T[]
  nextCursor: string | null
  previousCursor: string | null
  total: number
  approximate?: true | undefined
  leftOut?: number | undefined
}

/** A secret is written, never read back. */
export const secretSchema = z.object({ set: z.boolean(), last4: z.string().max(4), updatedAt: timeSchema.nullable() })

/** Minor units (paise, cents) of an ISO 4217 currency. */
export const moneySchema = z.object({ amount: countSchema, currency: z.string().length(3) })
export type Money = z.infer<typeof moneySchema>

/** The records that a bulk change is about: these, or all that the filter matches. */
export const selectionOf = <T extends z.ZodType>(filter: T) =>
  z.union([z.object({ ids: z.array(idSchema).min(1).max(1000) }), z.object({ filter })])

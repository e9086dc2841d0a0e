import { z } from 'zod'

/** A text of a webhook, cut to what is stored of it. @param max UTF-16 units. */
export const text = (max: number) => z.string().transform((value) => cutTo(value, max))
/** {@link text}; what is no text is left out. */
export const optionalText = (max: number) => text(max).optional().catch(undefined)

/** Reads a number, also from text; `null`, an empty text and anything else count as absent. */
export const optionalNumber = z
  .union([z.number(), z.string().trim().min(1).max(40).transform(Number).pipe(z.number())])
  .optional()
  .catch(undefined)

/** A list of which each item is read alone: one that cannot be read costs itself. */
export const readableItems = <T extends z.ZodType>(item: T, max: number) =>
  z
    .array(z.unknown())
    .default([])
    .catch([])
    .transform((items): z.output<T>[] =>
      items.slice(0, max).flatMap((value) => {
        const parsed = item.safeParse(value)
        return parsed.success ? [parsed.data] : []
      }),
    )

/** The last second of the year 9999: what comes later is in milliseconds, and has no date in ISO 8601 as the contracts have it. */
const maxSeconds = 253_402_300_799

/** Reads Unix seconds, as text or number; milliseconds are recognised by their size. */
export const momentSchema = z.coerce
  .number()
  .positive()
  .transform((value) => Math.floor(value > maxSeconds ? value / 1000 : value))
  .pipe(z.number().int().positive().max(maxSeconds))
  .transform((seconds) => new Date(seconds * 1000))

const maxUserId = 140
const phoneDigits = /^[1-9]\d{6,14}$/

/** A customer's identity at WhatsApp, as a text; a number is accepted too. */
export const optionalIdentity = z
  .union([z.string(), z.number().int().nonnegative().transform(String)])
  .transform((value) => cutTo(value.trim(), maxUserId) || undefined)
  .optional()
  .catch(undefined)

/**
 * Tells phone numbers from user ids by their form (E.164 without its plus): a user id has been seen where a phone number belongs,
 * and digits that are no phone number still identify a customer.
 */
export function identityOf(from: string | undefined, fromUserId: string | undefined) {
  const digits = from?.replace(/^\+/, '')
  const isPhone = digits !== undefined && phoneDigits.test(digits)
  return { waId: isPhone ? digits : undefined, userId: fromUserId ?? (isPhone ? undefined : from) }
}

/** Reads digits of a phone number; anything else counts as absent. */
export const optionalPhone = optionalIdentity.transform((value) => identityOf(value, undefined).waId)

/** Cuts a text without splitting a character. */
const cutTo = (value: string, max: number): string =>
  value.length <= max ? value : value.slice(0, max).replace(/[\ud800-\udbff]$/, '')

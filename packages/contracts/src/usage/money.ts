import { z } from 'zod'

/** Millionths of a currency's unit: a message costs less than the currency's smallest coin. */
export const microsSchema = z.number().int().min(0).max(1_000_000_000_000)

/** ISO 4217. */
export const currencySchema = z.string().regex(/^[A-Z]{3}$/)

import type { MessageContent } from '@parley/contracts/inbox/messages'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { z } from 'zod'

type Order = Extract<MessageContent, { type: 'order' }>

const currencySchema = z
  .string()
  .transform((code) => code.toUpperCase())
  .pipe(z.string().regex(/^[A-Z]{3}$/))
  .optional()
  .catch(undefined)

const number = z.number().optional().catch(undefined)
const name = z.string().max(200).optional().catch(undefined)
/** Accepts both the contract's names and WhatsApp's, under which the oldest orders are stored. */
const itemSchema = z
  .object({ id: name, product_retailer_id: name, quantity: number, price: number, item_price: number })
  .extend({ currency: currencySchema })
  .transform(({ id, product_retailer_id: earlierId, price, item_price: earlierPrice, quantity, currency }) => ({
    id: id ?? earlierId,
    price: price ?? earlierPrice,
    quantity,
    currency,
  }))

/** An item as it is stored: by our own names, with the other fields that WhatsApp sends. */
export const storedItem = ({ product_retailer_id: id, item_price: price, ...rest }: ReadItem): object =>
  omitUndefined({ id, price, ...rest })
interface ReadItem {
  readonly product_retailer_id?: string | undefined
  readonly item_price?: number | undefined
}

/** Converts items of an order to our own names; malformed ones are left out. */
export const orderItems = (items: unknown): Order['items'] =>
  (Array.isArray(items) ? items : []).slice(0, 100).flatMap((item: unknown) => {
    const parsed = itemSchema.safeParse(item)
    if (!parsed.success) return []
    const { id = '', quantity, price, currency } = parsed.data
    return {
      id,
      ...(quantity !== undefined && { quantity }),
      ...(price !== undefined && { price }),
      ...(currency && { currency }),
    }
  })

/** Returns the total of an order; `undefined` where its items share no currency, or one of them has no price or quantity. */
export function orderTotal(items: Order['items']): Order['total'] {
  const currency = items[0]?.currency
  if (!currency || items.some((item) => item.currency !== currency)) return undefined
  const sum = items.reduce((total, { quantity = Number.NaN, price = Number.NaN }) => total + quantity * price, 0)
  if (!Number.isFinite(sum)) return undefined
  // Sums of decimal fractions are off by a little; no currency has more than four digits.
  return { amount: Math.round(sum * 10_000) / 10_000, currency }
}

import type { MessageContent } from '@parley/contracts/messages'
import { z } from 'zod'

type Order = Extract<MessageContent, { type: 'order' }>

const currencySchema = z
  .string()
  .transform((code) => code.toUpperCase())
  .pipe(z.string().regex(/^[A-Z]{3}$/))
  .optional()
  .catch(undefined)

const itemSchema = z.union([
  // As WhatsApp names its parts: so orders were stored at first.
  z
    .object({
      product_retailer_id: z.string(),
      quantity: z.number(),
      item_price: z.number(),
      currency: currencySchema,
    })
    .transform(({ product_retailer_id: id, item_price: price, ...rest }) => ({ id, price, ...rest })),
  z.object({ id: z.string(), quantity: z.number(), price: z.number(), currency: currencySchema }),
])

/** An item as it is stored: by our own names, with what else WhatsApp tells of it. */
export const storedItem = <T extends { product_retailer_id: string; item_price: number }>(item: T) => {
  const { product_retailer_id: id, item_price: price, ...rest } = item
  return { id, price, ...rest }
}

/** Items of an order by our own names; what is none is left out. */
export const orderItems = (items: unknown): Order['items'] =>
  (Array.isArray(items) ? items : []).slice(0, 100).flatMap((item: unknown) => {
    const parsed = itemSchema.safeParse(item)
    if (!parsed.success) return []
    const { currency, ...rest } = parsed.data
    return { ...rest, ...(currency && { currency }) }
  })

/** What an order comes to; `undefined` where its items have no currency in common. */
export function orderTotal(items: Order['items']): Order['total'] {
  const currency = items[0]?.currency
  if (!currency || items.some((item) => item.currency !== currency)) return undefined
  const sum = items.reduce((total, { quantity, price }) => total + quantity * price, 0)
  // Sums of decimal fractions are off by a little; no currency has more than four digits.
  return { amount: Math.round(sum * 10_000) / 10_000, currency }
}

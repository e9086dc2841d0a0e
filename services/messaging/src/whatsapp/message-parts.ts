import { z } from 'zod'
import { bounded } from './bounded.ts'
import { optionalIdentity, optionalNumber, optionalText, readableItems, text } from './wire-values.ts'

/** A file as a webhook names it: its bytes are fetched later. */
export const mediaSchema = z.looseObject({
  id: optionalIdentity,
  mime_type: z.string().min(1).max(100).default('application/octet-stream').catch('application/octet-stream'),
  sha256: optionalText(100),
  caption: optionalText(1024),
  filename: optionalText(240),
  voice: z.boolean().optional().catch(undefined),
  animated: z.boolean().optional().catch(undefined),
  url: optionalText(2048),
})

/** A contact card, with the parts that WhatsApp has read from it, or as a vCard alone. */
export const contactCardSchema = z.looseObject({
  name: z
    .looseObject({ formatted_name: optionalText(200), first_name: optionalText(200) })
    .default({})
    .catch({}),
  phones: readableItems(z.looseObject({ phone: optionalText(40), wa_id: optionalText(20) }), 50),
  org: z
    .looseObject({ company: optionalText(200) })
    .optional()
    .catch(undefined),
  emails: readableItems(z.looseObject({ email: optionalText(254) }), 50),
  vcard: optionalText(64 * 1024),
})

export const locationSchema = z
  .looseObject({
    latitude: optionalNumber,
    longitude: optionalNumber,
    name: optionalText(200),
    address: optionalText(300),
    url: optionalText(2048),
  })
  .transform(({ latitude = Number.NaN, longitude = Number.NaN, ...rest }) => ({
    ...rest,
    place: Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined,
  }))

const part = <T extends z.ZodRawShape>(shape: T) => z.looseObject(shape).optional().catch(undefined)

export const interactiveSchema = z.looseObject({
  button_reply: part({ id: optionalText(256), title: optionalText(200) }),
  list_reply: part({ id: optionalText(256), title: optionalText(200), description: optionalText(200) }),
  nfm_reply: part({ name: optionalText(60), body: optionalText(1024), response_json: optionalText(20_000) }),
  call_permission_reply: part({ response: optionalText(60) }),
})

export const orderSchema = z.looseObject({
  catalog_id: optionalText(100),
  text: optionalText(1024),
  product_items: readableItems(
    z
      .looseObject({
        product_retailer_id: z
          .union([text(200), z.number().transform(String)])
          .optional()
          .catch(undefined),
        quantity: optionalNumber,
        item_price: optionalNumber,
        currency: optionalText(3),
      })
      // Stored as received, with unknown fields.
      .transform(bounded),
    100,
  ),
})

import { z } from 'zod'
import { GraphError } from '../graph/graph-error.ts'
import type { SentTemplate } from '../graph/send-schema.ts'
import { type Component, refusedPart } from './refused-part.ts'

type Sent = NonNullable<SentTemplate['components']>[number]

/** Number of buttons of each kind that the platform takes. */
const most: Readonly<Record<string, number>> = {
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  FLOW: 1,
  VOICE_CALL: 1,
  CATALOG: 1,
  MPM: 1,
  SPM: 1,
}
const shops = ['CATALOG', 'MPM', 'SPM']
const maxCallMinutes = 43_200

const flowSchema = z
  .looseObject({
    flow_id: z.union([z.string(), z.number().transform(String)]).optional(),
    flow_name: z.string().optional(),
    flow_json: z.string().optional(),
    flow_action: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['navigate', 'data_exchange']))
      .optional(),
    navigate_screen: z.string().max(80).optional(),
  })
  .refine(
    ({ flow_id, flow_name, flow_json }) =>
      [flow_id, flow_name, flow_json].filter((one) => one !== undefined).length === 1,
    'needs one of flow_id, flow_name and flow_json',
  )
const callSchema = z.looseObject({ ttl_minutes: z.number().int().min(1).max(maxCallMinutes).optional() })

/** Reads the buttons of a component. */
export const buttonsOf = (component: Component): Component[] =>
  Array.isArray(component['buttons']) ? (component['buttons'] as Component[]) : []

/**
 * Checks the buttons of a definition: how many of each kind there are, and what those need that open something in the app.
 * @param isForm returns whether a form is published.
 * @throws GraphError 100.
 */
export function checkButtons(
  components: readonly Component[],
  { category, isForm }: { category: string; isForm: (id: string) => boolean },
): void {
  const buttons = components.flatMap(buttonsOf)
  for (const [type, limit] of Object.entries(most))
    if (buttons.filter((button) => typeOf(button) === type).length > limit)
      throw refusedPart(`Only ${limit} button of type ${type} is allowed.`)
  const shop = buttons.find((button) => shops.includes(typeOf(button)))
  if (shop && (buttons.length > 1 || category !== 'MARKETING'))
    throw refusedPart(`A ${typeOf(shop)} button stands alone, in a template of category MARKETING.`)
  if (shop && typeOf(shop) === 'MPM' && !components.some(({ type, format }) => type === 'HEADER' && format === 'TEXT'))
    throw refusedPart('A multi-product template needs a header of type TEXT.')
  const hasProduct = components.some(({ type, format }) => type === 'HEADER' && format === 'PRODUCT')
  if (hasProduct !== buttons.some((button) => typeOf(button) === 'SPM'))
    throw refusedPart('A header of type PRODUCT and an SPM button need each other.')
  for (const button of buttons) {
    if (typeOf(button) === 'FLOW') {
      const { data, error } = flowSchema.safeParse(button)
      if (!data) throw refusedPart(`A FLOW button ${error.issues[0]?.message}.`)
      if (data.flow_id !== undefined && !isForm(data.flow_id))
        throw refusedPart(`The flow ${data.flow_id} does not exist or is not published.`)
    }
    if (typeOf(button) === 'VOICE_CALL' && !callSchema.safeParse(button).success)
      throw refusedPart(`ttl_minutes of a VOICE_CALL button is between 1 and ${maxCallMinutes}.`)
  }
}

const typeOf = (button: Component): string => button.type.toUpperCase()

const productId = z.string().min(1).max(100)
const shopSchemas = {
  CATALOG: z.looseObject({ thumbnail_product_retailer_id: productId.optional() }),
  MPM: z.looseObject({
    thumbnail_product_retailer_id: productId,
    sections: z
      .array(
        z.object({
          title: z.string().min(1).max(24),
          product_items: z.array(z.object({ product_retailer_id: productId })).min(1),
        }),
      )
      .min(1)
      .max(10)
      .refine((sections) => sections.flatMap((section) => section.product_items).length <= 30, 'at most 30 products'),
  }),
  FLOW: z.looseObject({
    flow_token: z.string().optional(),
    flow_action_data: z.record(z.string(), z.unknown()).optional(),
  }),
} as const

/**
 * Returns what a button shows that opens something in the app; `undefined` for one of another kind.
 * @throws GraphError 131008 where it was sent without what it needs, 131009 where that is wrong.
 */
export function openedBy(type: string, index: number, sent: Sent | undefined): { action: unknown } | undefined {
  if (type === 'VOICE_CALL') {
    const wrong = sent?.parameters?.some(
      ({ type: kind, ...parameter }) => kind === 'ttl_minutes' && !callSchema.safeParse(parameter).success,
    )
    if (wrong) throw new GraphError(131009, { details: `buttons: ttl_minutes of button ${index} is not valid` })
    return undefined
  }
  if (type !== 'CATALOG' && type !== 'MPM' && type !== 'FLOW') return undefined
  const [parameter] = sent?.parameters ?? []
  // A catalogue shows its first product.
  if (!parameter && type === 'CATALOG') return { action: {} }
  if (parameter?.type !== 'action')
    throw new GraphError(131008, { details: `buttons: Button at index ${index} of type ${type} requires a parameter` })
  const { data, error } = shopSchemas[type].safeParse(parameter['action'] ?? {})
  if (!data)
    throw new GraphError(131009, {
      details: `buttons: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`,
    })
  return { action: data }
}

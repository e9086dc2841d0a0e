import { templateLimits } from '@parley/contracts/templates/template-limits'
import { offerLimits } from '@parley/contracts/templates/template-offers'
import { z } from 'zod'

/** A text of WhatsApp’s. */
export const text = z.string().max(4096)
/** A component of a template as WhatsApp has it; fields that cannot be read are absent. */
export const componentSchema = z.looseObject({
  type: z.string().max(60).toUpperCase(),
  format: z.string().max(40).toUpperCase().optional().catch(undefined),
  text: text.optional().catch(undefined),
  example: z.looseObject({}).optional().catch(undefined),
  limited_time_offer: z
    .looseObject({ text: z.string().min(1).max(offerLimits.text), has_expiration: z.boolean().default(false) })
    .optional()
    .catch(undefined),
  add_security_recommendation: z.boolean().optional().catch(undefined),
  code_expiration_minutes: z.number().int().min(1).max(90).optional().catch(undefined),
  buttons: z
    .array(
      z.looseObject({
        type: z.string().max(60).toUpperCase(),
        text: text.catch(''),
        url: text.optional().catch(undefined),
        phone_number: text.optional().catch(undefined),
        example: z.unknown().optional(),
        flow_id: z
          .union([text, z.number().transform(String)])
          .optional()
          .catch(undefined),
        flow_action: z.string().max(60).toUpperCase().optional().catch(undefined),
        navigate_screen: z.string().max(templateLimits.screen).optional().catch(undefined),
        ttl_minutes: z.number().int().min(1).max(templateLimits.callMinutes).optional().catch(undefined),
        otp_type: z.string().max(60).toUpperCase().optional().catch(undefined),
        supported_apps: z
          .array(z.looseObject({ package_name: z.string().max(224), signature_hash: z.string().max(20) }))
          .optional()
          .catch(undefined),
      }),
    )
    .max(50)
    .optional()
    .catch(undefined),
  cards: z
    .array(z.looseObject({ components: z.array(z.unknown()).max(10) }))
    .min(1)
    .max(10)
    .optional()
    .catch(undefined),
})
export type Component = z.infer<typeof componentSchema>
/** A button as WhatsApp has it. */
export type AtWhatsApp = NonNullable<Component['buttons']>[number]

export interface CardParts {
  readonly isWhole: boolean
  readonly header: Component | undefined
  readonly body: Component | undefined
  readonly buttons: Component | undefined
}

/** Finds the parts of a card; `isWhole` where it has no others. */
export function partsOf(components: readonly unknown[]): CardParts {
  const known = components.flatMap((component) => componentSchema.safeParse(component).data ?? [])
  const part = (type: string) => known.find((component) => component.type === type)
  const isWhole =
    known.length === components.length && known.every(({ type }) => ['HEADER', 'BODY', 'BUTTONS'].includes(type))
  return { isWhole, header: part('HEADER'), body: part('BODY'), buttons: part('BUTTONS') }
}

const namedSchema = z.array(z.looseObject({ param_name: z.string(), example: text }))

/** Reads the sample values of a part, by the numbers or names of its variables. */
export function examplesOf(part: 'header' | 'body', component: Component | undefined): Record<string, string> {
  const exampleFields = component?.example
  const byName = namedSchema.safeParse(exampleFields?.[`${part}_text_named_params`]).data
  if (byName)
    return Object.fromEntries(
      byName.map(({ param_name: key, example }) => [key, example.slice(0, templateLimits.value)]),
    )
  const raw = exampleFields?.[`${part}_text`]
  const list = z.array(text).safeParse(part === 'body' && Array.isArray(raw) ? raw[0] : raw).data ?? []
  return Object.fromEntries(list.map((example, index) => [String(index + 1), example.slice(0, templateLimits.value)]))
}

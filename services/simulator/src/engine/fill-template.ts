import { z } from 'zod'
import { GraphError } from '../graph/graph-error.ts'
import type { SentTemplate } from '../graph/send-schema.ts'
import type { Template } from '../records.ts'
import { openedBy } from './template-buttons.ts'
import { cardsOf, sentCards } from './template-carousel.ts'
import { shownOffer } from './template-offer.ts'
import { maxCode } from './template-parts.ts'

const placeholder = /\{\{\s*([a-z0-9_]+)\s*\}\}/gi

const componentSchema = z.looseObject({
  type: z.string(),
  format: z.string().optional(),
  text: z.string().optional(),
  buttons: z
    .array(z.looseObject({ type: z.string(), text: z.string().optional(), url: z.string().optional() }))
    .optional(),
})
type Component = z.infer<typeof componentSchema>
type SentComponent = NonNullable<SentTemplate['components']>[number]

/** A template as a phone shows it. */
export interface ShownTemplate {
  readonly header: { readonly format: string; readonly text?: string; readonly media?: unknown } | undefined
  /** Offer for a limited time, with its end in milliseconds since 1970. */
  readonly offer?: { readonly text: string; readonly endsAt?: number } | undefined
  readonly body: string
  readonly footer: string | undefined
  readonly buttons: ShownButton[]
  /** Cards of a carousel, each with a picture or video. */
  readonly cards?: {
    readonly header: ShownTemplate['header']
    readonly body?: string
    readonly buttons: ShownButton[]
  }[]
}

interface ShownButton {
  readonly type: string
  readonly text: string
  readonly url?: string
  readonly payload?: string
  readonly action?: unknown
}

/** Returns the variables in a text, each once: numbers in their order, which is that of a send's parameters. */
export const variablesOf = (text: string): string[] =>
  [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))].sort(
    (left, right) => Number(left) - Number(right) || 0,
  )

/** Maximum characters of a filled part. */
const longest = { header: 60, body: 1024, card: 160 } as const

/**
 * Puts the parameters of a send into an approved template.
 * @throws GraphError 132000 for a wrong count, 132005 for a text that is too long once it is filled, 132012 for names that do not match, 132018 for values that are not allowed.
 */
export function fillTemplate(template: Template, sent: SentTemplate, now: number): ShownTemplate {
  const components = z.array(componentSchema).parse(template.components)
  const of = (type: string) => components.find((component) => component.type.toUpperCase() === type)
  const sentPart = (type: string) => sent.components?.find((component) => component.type.toLowerCase() === type)
  const header = of('HEADER')
  const body = of('BODY')
  const cards = cardsOf(components)
  return {
    ...(cards && { cards: fillCards(template, cards, sentPart('carousel')) }),
    header: header && fillHeader(template, header, sentPart('header')),
    offer: shownOffer(components, sentPart('limited_time_offer'), now),
    body: fillText(template, 'body', body?.text ?? '', sentPart('body')),
    footer: of('FOOTER')?.text,
    buttons: (of('BUTTONS')?.buttons ?? []).map((button, index) => fillButton(button, index, sent.components)),
  }
}

function fillCards(
  template: Template,
  cards: ReturnType<typeof cardsOf> & object,
  sent: SentComponent | undefined,
): NonNullable<ShownTemplate['cards']> {
  const sentTo = sentCards(cards.length, sent)
  return cards.map((parts, index) => {
    const known = z.array(componentSchema).parse(parts)
    const of = (type: string) => known.find((part) => part.type === type)
    const sentPart = (type: string) => sentTo[index]?.find((part) => part.type.toLowerCase() === type)
    const [header, body] = [of('HEADER'), of('BODY')]
    return {
      header: header && fillHeader(template, header, sentPart('header')),
      ...(body && { body: fillText(template, 'card', body.text ?? '', sentPart('body')) }),
      buttons: (of('BUTTONS')?.buttons ?? []).map((button, place) => fillButton(button, place, sentTo[index])),
    }
  })
}

function fillHeader(template: Template, header: Component, sent: SentComponent | undefined): ShownTemplate['header'] {
  const format = (header.format ?? 'TEXT').toUpperCase()
  if (format === 'TEXT') return { format, text: fillText(template, 'header', header.text ?? '', sent) }
  const media = sent?.parameters?.[0]
  if (!media || media.type.toUpperCase() !== format)
    throw new GraphError(132012, {
      details: `header: Format mismatch, expected ${format}, received ${media?.type.toUpperCase() ?? 'UNKNOWN'}`,
    })
  const shown = media[media.type]
  if (format === 'PRODUCT' && !productSchema.safeParse(shown).success)
    throw new GraphError(131009, { details: 'header: product needs product_retailer_id and catalog_id' })
  if (format === 'LOCATION' && !placeSchema.safeParse(shown).success)
    throw new GraphError(131009, { details: 'header: location needs latitude, longitude, name and address' })
  return { format, media: shown }
}

const productSchema = z.looseObject({ product_retailer_id: z.string().min(1).max(100), catalog_id: z.string().min(1) })

const placeSchema = z.looseObject({
  latitude: z.coerce.number().min(-90).max(90),
  longitude: z.coerce.number().min(-180).max(180),
  name: z.string().min(1),
  address: z.string().min(1),
})

/** Returns the code of a button that copies one. @throws GraphError 131008, 131009. */
function codeOf(parameter: Record<string, unknown> | undefined, index: number): string {
  const code = parameter?.['type'] === 'coupon_code' ? parameter['coupon_code'] : parameter?.['text']
  if (typeof code !== 'string' || code === '')
    throw new GraphError(131008, { details: `buttons: Button at index ${index} requires a code` })
  if (code.length > maxCode)
    throw new GraphError(131009, {
      details: `buttons: the code of button ${index} has more than ${maxCode} characters`,
    })
  return code
}

function fillText(
  template: Template,
  where: keyof typeof longest,
  text: string,
  sent: SentComponent | undefined,
): string {
  const names = variablesOf(text)
  const parameters = sent?.parameters ?? []
  if (parameters.length !== names.length) {
    throw new GraphError(132000, {
      details: `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${names.length})`,
    })
  }
  const values = new Map<string, string>()
  for (const [index, parameter] of parameters.entries()) {
    const name = template.parameterFormat === 'NAMED' ? parameter.parameter_name : names[index]
    if (name === undefined || !names.includes(name))
      throw new GraphError(132012, { details: `${where}: Parameter name is missing or does not match the template` })
    values.set(name, valueOfParameter(where, parameter))
  }
  const filled = text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole)
  if (filled.length > longest[where]) throw new GraphError(132005)
  return filled
}

function valueOfParameter(where: string, parameter: NonNullable<SentComponent['parameters']>[number]): string {
  const fallback = z.looseObject({ fallback_value: z.string() }).safeParse(parameter[parameter.type])
  const value = parameter.text ?? (fallback.success ? fallback.data.fallback_value : '')
  if (value === '') throw new GraphError(131008, { details: `${where}: Parameter of type text is missing text value` })
  if (/[\n\r\t]| {5,}/.test(value)) {
    throw new GraphError(132018, {
      details: `${where}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    })
  }
  return value
}

function fillButton(
  button: { type: string; text?: string | undefined; url?: string | undefined },
  index: number,
  sent: SentTemplate['components'],
): ShownButton {
  const component = sent?.find(
    (candidate) => candidate.type.toLowerCase() === 'button' && String(candidate.index) === String(index),
  )
  const parameter = component?.parameters?.[0]
  const type = button.type.toUpperCase()
  const url = button.url ?? ''
  if (type === 'COPY_CODE') {
    if (parameter?.type !== 'coupon_code') throw new GraphError(132012, { details: `buttons: ${index} copies a code` })
    return { type, text: button.text ?? 'Copy offer code', payload: codeOf(parameter, index) }
  }
  if (type === 'URL' && url.includes('whatsapp.com/otp/'))
    return { type: 'OTP', text: button.text ?? 'Copy code', payload: codeOf(parameter, index) }
  const opened = openedBy(type, index, component)
  const needed = type === 'URL' && variablesOf(url).length > 0
  if (needed && parameter?.text === undefined)
    throw new GraphError(131008, { details: `buttons: Button at index ${index} of type Url requires a parameter` })
  const payload = typeof parameter?.['payload'] === 'string' ? parameter['payload'] : (button.text ?? '')
  return {
    type,
    text: button.text ?? '',
    ...(type === 'URL' && { url: url.replace(placeholder, parameter?.text ?? '') }),
    ...(type === 'QUICK_REPLY' && { payload }),
    ...opened,
  }
}

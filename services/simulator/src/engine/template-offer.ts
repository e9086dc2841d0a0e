import { z } from 'zod'
import { GraphError } from '../graph/graph-error.ts'
import type { SentTemplate } from '../graph/send-schema.ts'
import { type Component, refusedPart } from './refused-part.ts'
import { buttonsOf } from './template-buttons.ts'

type Sent = NonNullable<SentTemplate['components']>[number]

const offerSchema = z.looseObject({
  limited_time_offer: z.looseObject({ text: z.string().min(1).max(16), has_expiration: z.boolean().default(false) }),
})
const endSchema = z.looseObject({
  limited_time_offer: z.looseObject({ expiration_time_ms: z.coerce.number().int().positive() }),
})
const maxBody = 600

const offerOf = (components: readonly Component[]): Component | undefined =>
  components.find(({ type }) => type.toUpperCase() === 'LIMITED_TIME_OFFER')

/** Checks what the platform wants of a limited-time offer, and of the parts around it. @throws GraphError 100. */
export function checkOffer(components: readonly Component[], category: string): void {
  const offer = offerOf(components)
  if (!offer) return
  const { data } = offerSchema.safeParse(offer)
  if (!data) throw refusedPart('limited_time_offer needs a text of at most 16 characters.')
  const of = (type: string) => components.find((component) => component.type === type)
  const kinds = components.flatMap(buttonsOf).map(({ type }) => type.toUpperCase())
  const format = of('HEADER')?.['format']
  if (category !== 'MARKETING') throw refusedPart('Only templates categorized as MARKETING have a limited-time offer.')
  if (of('FOOTER')) throw refusedPart('Footer components are not supported in limited-time offer templates.')
  if (format !== undefined && format !== 'IMAGE' && format !== 'VIDEO')
    throw refusedPart('The header of a limited-time offer template is of type IMAGE or VIDEO.')
  if (String(of('BODY')?.['text'] ?? '').length > maxBody)
    throw refusedPart(`The body of a limited-time offer template has at most ${maxBody} characters.`)
  if (kinds.some((kind) => kind !== 'COPY_CODE' && kind !== 'URL') || !kinds.includes('URL'))
    throw refusedPart('A limited-time offer template has a URL button, and a copy code button at most.')
  const needsCode = data.limited_time_offer.has_expiration || kinds.includes('COPY_CODE')
  if (needsCode && kinds[0] !== 'COPY_CODE')
    throw refusedPart('The copy code button must be included and appear first where the offer expires.')
}

/**
 * Returns an offer as a phone shows it.
 * @param sent the component of the send that names its end.
 * @throws GraphError 131008 where its end is missing, 131009 where it is over.
 */
export function shownOffer(
  components: readonly Component[],
  sent: Sent | undefined,
  now: number,
): { readonly text: string; readonly endsAt?: number } | undefined {
  const { data } = offerSchema.safeParse(offerOf(components))
  if (!data) return undefined
  const { text, has_expiration: hasExpiration } = data.limited_time_offer
  if (!hasExpiration) return { text }
  const end = endSchema.safeParse(sent?.parameters?.[0])
  if (!end.success)
    throw new GraphError(131008, { details: 'limited_time_offer: expiration_time_ms is missing or not valid' })
  const endsAt = end.data.limited_time_offer.expiration_time_ms
  if (endsAt <= now) throw new GraphError(131009, { details: 'limited_time_offer: expiration_time_ms is in the past' })
  return { text, endsAt }
}

import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import type { Template } from '@parley/contracts/templates/templates'
import { shownButtons, shownOffer } from '@parley/rules/template-parts'

type Previewed = Pick<Template, 'header' | 'headerMedia' | 'offer' | 'body' | 'footer' | 'buttons' | 'cards'> &
  Partial<Pick<Template, 'authentication'>>

/** Returns a template with its values as a preview shows it; a placeholder without a value stays. */
export function previewedTemplate(template: Previewed, values: Readonly<Record<string, string>>) {
  const { header, headerMedia, offer, body, footer, cards } = template
  return {
    header: header && fillPlaceholders(header, values),
    headerMedia: headerMedia && filledHeader(headerMedia, values),
    offer: offer && shownOffer(offer, values),
    body: fillPlaceholders(body, values),
    footer,
    buttons: shownButtons(template),
    cards: cards?.map((card) => ({ ...card, body: card.body && fillPlaceholders(card.body, values) })),
  }
}

function filledHeader(headerMedia: HeaderMedia, values: Readonly<Record<string, string>>): HeaderMedia {
  if (headerMedia.kind !== 'product' || !headerMedia.product) return headerMedia
  const { id, catalogId } = headerMedia.product
  return { kind: 'product', product: { id: fillPlaceholders(id, values), catalogId } }
}

import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import { copyCodeText } from '@parley/contracts/templates/template-authentication'
import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { Card } from '@parley/contracts/templates/template-cards'
import type { HeaderFile, HeaderMedia } from '@parley/contracts/templates/template-headers'
import { type Offer, offerEnd, offerEndsKey } from '@parley/contracts/templates/template-offers'
import type { Template } from '@parley/contracts/templates/templates'

type ShownButton = Pick<TemplateButton, 'kind' | 'text'>
type Values = Readonly<Record<string, string>>

/** Returns the buttons that customers see: WhatsApp adds that of an authentication template. */
export const shownButtons = ({
  authentication,
  buttons,
}: Pick<Template, 'authentication' | 'buttons'>): ShownButton[] =>
  authentication
    ? [{ kind: 'copy_code', text: copyCodeText }]
    : buttons.map(({ kind, text }): ShownButton => ({ kind, text }))

/** Text of a template with its values, and the parts of it that WhatsApp sets apart. */
export interface FilledParts {
  /** All of it: header, body and footer, with an empty line between them. */
  readonly text: string
  readonly headerText?: string | undefined
  readonly footer?: string | undefined
  readonly buttons?: ShownButton[]
  /** Offer for a limited time; without an end where none is given, or what is given is no time. */
  readonly offer?: { readonly text: string; readonly endsAt?: string }
  /** Cards of a carousel; one without a header has no file yet. */
  readonly cards?: ReturnType<typeof shownCard>[]
}

/** Returns the header of a message, if that is not text; `undefined` for one whose file, place or product is missing. */
export function shownHeader(headerMedia: HeaderMedia | undefined, values: Values) {
  if (headerMedia?.kind === 'location') return headerMedia.place && { kind: headerMedia.kind, ...headerMedia.place }
  if (headerMedia?.kind === 'product') {
    const { kind, product } = headerMedia
    return product && { kind, id: fillPlaceholders(product.id, values), catalogId: product.catalogId }
  }
  return headerMedia?.file && shownFile(headerMedia.kind, headerMedia.file)
}

const shownFile = <K extends string>(kind: K, { mediaId, mimeType, sizeBytes, name: fileName }: HeaderFile) => ({
  kind,
  mediaId,
  mimeType,
  sizeBytes,
  fileName,
})

function shownCard({ headerMedia, body, buttons }: Card, values: Values) {
  const header = headerMedia.file && shownFile(headerMedia.kind, headerMedia.file)
  return {
    ...(header && { header }),
    ...(body && { text: fillPlaceholders(body, values) }),
    buttons: buttons.map(({ kind, text }): ShownButton => ({ kind, text })),
  }
}

/** Returns an offer as it is shown, with its end by the values. */
export function shownOffer({ text, hasExpiration }: Offer, values: Values) {
  const endsAt = hasExpiration ? offerEnd(values[offerEndsKey])?.toISOString() : undefined
  return { text, ...(endsAt !== undefined && { endsAt }) }
}

const between = '\n\n'
/** Limit of the text of a message (contract, messages). */
const maxText = 2048

/** Fills a template. A text that had to be cut names no parts, for its end is missing. */
export function filledParts(
  template: Pick<Template, 'header' | 'body' | 'footer' | 'authentication' | 'buttons' | 'offer' | 'cards'>,
  values: Values,
): FilledParts {
  const filled = (part: string | undefined) => (part ? fillPlaceholders(part, values) : undefined)
  const [headerText, body, footer] = [filled(template.header), filled(template.body), filled(template.footer)]
  const text = [headerText, body, footer].filter(Boolean).join(between)
  const buttons = shownButtons(template)
  return {
    text: text.slice(0, maxText),
    ...(text.length <= maxText && headerText && { headerText }),
    ...(text.length <= maxText && footer && { footer }),
    ...(buttons.length > 0 && { buttons }),
    ...(template.offer && { offer: shownOffer(template.offer, values) }),
    ...(template.cards && { cards: template.cards.map((card) => shownCard(card, values)) }),
  }
}

/** Returns the text without its header and footer. */
export function bodyOf({ text, headerText, footer }: Pick<FilledParts, 'text' | 'headerText' | 'footer'>): string {
  const start = headerText ? headerText.length + between.length : 0
  return footer ? text.slice(start, -(footer.length + between.length)) : text.slice(start)
}

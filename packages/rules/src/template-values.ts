import { fillPlaceholders, type TemplateTexts } from '@parley/contracts/templates/placeholders'
import { codeKey, maxCode } from '@parley/contracts/templates/template-authentication'
import { cardLimits } from '@parley/contracts/templates/template-cards'
import { templateLimits } from '@parley/contracts/templates/template-limits'

type Values = Readonly<Record<string, string>>

/**
 * A value as WhatsApp takes it: line breaks and tabs are one space, and five or more spaces four (errors 132012 and 132018). At its
 * edges there is nothing.
 */
export const cleanValue = (value: string): string =>
  value
    .replaceAll(/[\n\r\t\v\f\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(/ {5,}/g, '    ')
    .trim()

export const cleanValues = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, cleanValue(value)]))

/** Finds the part that is longer with its values than WhatsApp sends (error 132005), and its length. */
export function tooLongPart(
  {
    header,
    headerMedia,
    body,
    buttons = [],
    cards = [],
    category,
  }: Pick<TemplateTexts, 'header' | 'body'> &
    Partial<Pick<TemplateTexts, 'headerMedia' | 'buttons' | 'cards'>> & { readonly category?: string | undefined },
  values: Values,
) {
  const code = category === 'authentication' ? `{{${codeKey}}}` : buttons.find(({ kind }) => kind === 'copy_code')?.code
  const parts = [
    { part: 'header', length: fillPlaceholders(header ?? '', values).length, most: templateLimits.headerText },
    { part: 'body', length: fillPlaceholders(body, values).length, most: templateLimits.body },
    // A counted link is replaced by our own, short address.
    ...cards.map(
      (card) =>
        ({ part: 'card', length: fillPlaceholders(card.body ?? '', values).length, most: cardLimits.body }) as const,
    ),
    ...[...buttons, ...cards.flatMap((card) => card.buttons)].flatMap((button) =>
      button.url === undefined || 'tracked' in button
        ? []
        : [{ part: 'url', length: fillPlaceholders(button.url, values).length, most: templateLimits.url } as const],
    ),
    ...[headerMedia?.product?.id, ...buttons.map(({ product }) => product)].map(
      (product) =>
        ({
          part: 'product',
          length: fillPlaceholders(product ?? '', values).length,
          most: templateLimits.product,
        }) as const,
    ),
    { part: 'code', length: fillPlaceholders(code ?? '', values).length, most: code === undefined ? 0 : maxCode },
  ] as const
  return parts.find(({ length, most }) => length > most)
}

import { parsePlaceholders } from './placeholder-pieces.ts'
import { offerEndsKey } from './template-offers.ts'

export const isNumber = (key: string): boolean => /^\d+$/.test(key)

/** Keys of the placeholders, each once: numbers in their order, names in that of their first use. */
export function placeholdersOf(...texts: readonly (string | undefined)[]): string[] {
  const keys = texts.flatMap((text) =>
    parsePlaceholders(text ?? '').flatMap((piece) => (piece.kind === 'placeholder' ? [piece.key] : [])),
  )
  return [...new Set(keys)].sort((left, right) =>
    isNumber(left) && isNumber(right) ? Number(left) - Number(right) : 0,
  )
}

/** The text with every placeholder replaced by its value; one without a value stays as it is written. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  parsePlaceholders(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : (filledValue(values, piece.key) ?? piece.text)))
    .join('')

const filledValue = (values: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(values, key) && values[key] !== '' ? values[key] : undefined

/** Returns the placeholder that "insert variable" inserts: the next number, or a name where the template uses names. */
export function nextPlaceholder(...texts: readonly (string | undefined)[]): string {
  const keys = placeholdersOf(...texts)
  const named = keys.some((key) => !isNumber(key))
  for (let count = 1; ; count += 1) {
    const key = named ? `variable_${count}` : String(count)
    if (!keys.includes(key)) return `{{${key}}}`
  }
}

interface ButtonTexts {
  readonly kind: string
  readonly url?: string | undefined
  readonly code?: string | undefined
  readonly product?: string | undefined
}

/** The parts of a template that may hold placeholders. */
export interface TemplateTexts {
  readonly header?: string | undefined
  /** One of a product may name it by a variable. */
  readonly headerMedia?: { readonly kind: string; readonly product?: { readonly id: string } | undefined } | undefined
  readonly body: string
  readonly footer?: string | undefined
  readonly buttons: readonly ButtonTexts[]
  readonly cards?:
    | readonly { readonly body?: string | undefined; readonly buttons: readonly ButtonTexts[] }[]
    | undefined
  /** Has a variable of its own where the offer ends. */
  readonly offer?: { readonly hasExpiration: boolean } | undefined
}

/** Keys of the placeholders that stand in a template. A key that is in several parts has one value in all of them. */
export const writtenPlaceholders = ({
  header,
  headerMedia,
  body,
  buttons,
  cards = [],
}: Omit<TemplateTexts, 'footer'>): string[] =>
  placeholdersOf(
    header,
    body,
    headerMedia?.product?.id,
    ...buttons.map(variableOf),
    ...cards.flatMap((card) => [card.body, ...card.buttons.map(variableOf)]),
  )

const variableOf = ({ url, code, product }: ButtonTexts): string | undefined => url ?? code ?? product

/** Keys of all variables of a template: of those that stand in it, and of the end of its offer. */
export const templatePlaceholders = (template: Omit<TemplateTexts, 'footer'>): string[] => [
  ...new Set([...writtenPlaceholders(template), ...(template.offer?.hasExpiration ? [offerEndsKey] : [])]),
]

import { writtenPlaceholders } from '@parley/contracts/templates/placeholders'
import { type Authentication, authenticationTexts, codeKey } from '@parley/contracts/templates/template-authentication'
import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { Card } from '@parley/contracts/templates/template-cards'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { type Template, type TemplateContent, templateContentSchema } from '@parley/contracts/templates/templates'
import { parsePhone } from '@parley/phone'

/** Form values: a field left empty is an empty text. */
export type TemplateFormValues = TemplateContent

export const templateFormSchema = templateContentSchema.superRefine(({ buttons, cards = [] }, context) => {
  const places = [
    { path: [] as (string | number)[], buttons },
    ...cards.map((card, index) => ({ path: ['cards', index], buttons: card.buttons })),
  ]
  for (const place of places)
    for (const [index, button] of place.buttons.entries())
      if (button.kind === 'phone' && !parsePhone(button.phone))
        context.addIssue({
          code: 'custom',
          path: [...place.path, 'buttons', index, 'phone'],
          message: 'Enter a phone number with its country code',
        })
})

export const emptyTemplate: TemplateFormValues = {
  name: '',
  category: 'marketing',
  language: 'en',
  header: '',
  headerMedia: undefined,
  authentication: undefined,
  offer: undefined,
  body: '',
  footer: '',
  buttons: [],
  cards: undefined,
  examples: {},
}

function valuesOf({
  name,
  category,
  language,
  header,
  headerMedia,
  authentication,
  offer,
  body,
  footer,
  buttons,
  cards,
  examples,
}: TemplateContent): TemplateFormValues {
  return {
    name,
    category,
    language,
    header: header ?? '',
    headerMedia,
    authentication,
    offer,
    body,
    footer: footer ?? '',
    examples,
    cards: cards?.map((card) => ({ ...card, body: card.body ?? '' })),
    // A choice that was not made stands there too: without it the form would seem changed once its box is drawn.
    buttons: buttons.map((button) => {
      if (button.kind === 'url') return { ...button, tracked: button.tracked }
      if (button.kind === 'flow') return { ...button, screen: button.screen ?? '' }
      if (button.kind === 'voice_call') return { ...button, minutes: button.minutes }
      return button.kind === 'catalog' ? { ...button, product: button.product ?? '' } : button
    }),
  }
}

/** Returns the content to edit: a template's draft, or its text. What WhatsApp does not let change stays. */
export function writtenOf({ draft, ...template }: Template): TemplateFormValues {
  if (!draft) return valuesOf(template)
  const { name, language, category, status } = template
  return { ...valuesOf(draft.content), name, language, ...(status === 'approved' && { category }) }
}

/** A copy to change, under a name that is free. */
export const copyOf = (template: Template): TemplateFormValues => ({
  ...valuesOf(template),
  name: `${template.name.slice(0, templateLimits.name - 5)}_copy`,
})

/** The same under its name, to be written in another language. */
export const translationOf = (template: Template): TemplateFormValues => ({ ...valuesOf(template), language: '' })

/** Initial authentication content of a template. */
export const defaultAuthentication: Authentication = { securityRecommendation: true }
const sampleCode = '123456'

/** Returns the content to send: samples of removed placeholders are dropped, phones are in E.164. */
export function contentOf(values: TemplateContent): TemplateContent {
  if (values.category === 'authentication') return authenticationContentOf(values)
  const { authentication: _authentication, cards, ...contentFields } = values
  const written: TemplateContent = cards
    ? { ...contentFields, ...instead, cards: cards.map(cardOf) }
    : { ...contentFields, header: values.headerMedia ? '' : values.header }
  const keys = writtenPlaceholders(written)
  return {
    ...written,
    examples: Object.fromEntries(keys.map((key) => [key, values.examples[key]?.trim() ?? ''])),
    buttons: written.buttons.map(buttonOf),
  }
}

/** The parts that a carousel does not have. */
const instead = { header: '', headerMedia: undefined, offer: undefined, footer: '', buttons: [] }

const cardOf = ({ body, buttons, ...card }: Card): Card => ({
  ...card,
  ...(body?.trim() && { body }),
  buttons: buttons.map((button) => (button.kind === 'phone' ? inE164(button) : button)),
})

const inE164 = <T extends { phone: string }>(button: T): T => ({
  ...button,
  phone: parsePhone(button.phone)?.e164 ?? button.phone,
})

/** Returns a button to send: a phone in E.164, without choices that were not made. */
function buttonOf(button: TemplateButton): TemplateButton {
  if (button.kind === 'phone') return inE164(button)
  if (button.kind === 'flow') {
    const { screen, ...opened } = button
    return { ...opened, ...(screen?.trim() && { screen }) }
  }
  if (button.kind === 'voice_call') {
    const { minutes, ...called } = button
    return { ...called, ...(minutes !== undefined && { minutes }) }
  }
  if (button.kind !== 'catalog') return button
  const { product, ...shown } = button
  return { ...shown, ...(product?.trim() && { product }) }
}

/** Values of an authentication template, whose text is WhatsApp's. */
function authenticationContentOf({
  name,
  language,
  category,
  authentication = defaultAuthentication,
  examples,
}: TemplateContent): TemplateContent {
  return {
    name,
    language,
    category,
    authentication,
    buttons: [],
    ...authenticationTexts(authentication),
    examples: { [codeKey]: examples[codeKey] || sampleCode },
  }
}

/** A name as WhatsApp takes it, from what a person types: capitals become small, spaces and hyphens underscores. */
export const templateNameOf = (typed: string): string =>
  typed
    .toLowerCase()
    .replace(/[\s-]/g, '_')
    .replace(/[^a-z0-9_]/g, '')

/** Returns the place of a further quick reply: behind the last one, to keep them together. */
export function placeOfNext(
  kind: TemplateContent['buttons'][number]['kind'],
  buttons: TemplateContent['buttons'],
): number {
  const last = buttons.findLastIndex((button) => button.kind === 'quick_reply')
  return kind === 'quick_reply' && last !== -1 ? last + 1 : buttons.length
}

/** A text with something put in the place of a selection, and where the caret stands then. */
export interface Edited {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Puts a text at the caret, parted by spaces from the words around it. */
export function insertAt(text: string, { start, end }: { start: number; end: number }, inserted: string): Edited {
  const [before, after] = [text.slice(0, start), text.slice(end)]
  const lead = before === '' || /\s$/.test(before) ? '' : ' '
  const tail = /^[\s.,;:!?)]/.test(after) || after === '' ? '' : ' '
  const caret = before.length + lead.length + inserted.length + tail.length
  return { text: `${before}${lead}${inserted}${tail}${after}`, start: caret, end: caret }
}

/** Sets the selection between two marks; an empty one gets them around the caret. */
export function wrapWith(text: string, { start, end }: { start: number; end: number }, mark: string): Edited {
  const wrapped = `${text.slice(0, start)}${mark}${text.slice(start, end)}${mark}${text.slice(end)}`
  return { text: wrapped, start: start + mark.length, end: end + mark.length }
}

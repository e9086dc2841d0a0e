import { buttonProblems, buttonsProblems, isValueOrVariable } from './button-problems.ts'
import { cardProblems } from './card-problems.ts'
import { offerProblems } from './offer-problems.ts'
import { placeholderProblems } from './placeholder-problems.ts'
import { placeholdersOf, type TemplateTexts, writtenPlaceholders } from './placeholders.ts'
import { type Authentication, authenticationTexts, maxCode } from './template-authentication.ts'
import type { JudgedButton } from './template-buttons.ts'
import type { JudgedCard } from './template-cards.ts'
import type { TemplateProblem } from './template-findings.ts'
import { headerFileProblem, type JudgedHeader, missingHeader } from './template-headers.ts'
import { templateLimits } from './template-limits.ts'
import type { Offer } from './template-offers.ts'

/** Parts of a template that are checked: the fields that a person writes. */
export interface JudgedTemplate extends TemplateTexts {
  readonly category: string
  readonly language: string
  readonly buttons: readonly JudgedButton[]
  readonly cards?: readonly JudgedCard[] | undefined
  readonly headerMedia?: JudgedHeader | undefined
  readonly authentication?: Authentication | undefined
  readonly offer?: Offer | undefined
  readonly examples: Readonly<Record<string, string>>
}

/**
 * Returns what WhatsApp refuses of a template beyond lengths (Cloud API, message templates: components): placeholders that break
 * its rules, sample values that are missing or cannot be sent, buttons that cannot stand together, addresses and phone numbers
 * that lead nowhere, and own words in an authentication template.
 * @returns each with its field, in the order of the form.
 */
export function templateProblems(content: JudgedTemplate): TemplateProblem[] {
  // Its text is WhatsApp's own, which follows other rules.
  if (content.category === 'authentication') return [...categoryProblems(content), ...sampleProblems(content)]
  return [
    ...headerProblems(content),
    ...placeholderProblems(content),
    ...sampleProblems(content),
    ...offerProblems(content),
    ...buttonsProblems(content),
    ...content.buttons.flatMap(buttonProblems),
    ...productProblems(content),
    ...cardProblems(content),
  ]
}

/** The text is WhatsApp's, with nothing of ours beside it. */
function categoryProblems(content: JudgedTemplate): TemplateProblem[] {
  const { header, headerMedia, body, footer, buttons, authentication } = content
  const texts = authentication && authenticationTexts(authentication)
  const isOwn = texts?.body !== body || (texts.footer ?? '') !== (footer ?? '')
  if (!isOwn && !header && !headerMedia && buttons.length === 0) return []
  const message = 'WhatsApp writes the text of authentication templates itself: choose what it says'
  return [{ rule: 'authentication_text', path: ['category'], message }]
}

function headerProblems({ header, headerMedia }: JudgedTemplate): TemplateProblem[] {
  if (!headerMedia) return []
  const problem = (rule: TemplateProblem['rule'], message: string | undefined): TemplateProblem[] =>
    message === undefined ? [] : [{ rule, path: ['headerMedia'], message }]
  return [
    ...problem('header_two', header ? 'A header is a text or a file, not both' : undefined),
    ...problem('header_sample', missingHeader(headerMedia)),
    ...problem('header_file', headerFileProblem(headerMedia)),
  ]
}

/** A single product stands above the message, with the button that opens it below. */
function productProblems({ headerMedia, buttons }: JudgedTemplate): TemplateProblem[] {
  const isProduct = headerMedia?.kind === 'product'
  const hasButton = buttons.some(({ kind }) => kind === 'product')
  const id = headerMedia?.product?.id
  const problem = (rule: TemplateProblem['rule'], path: TemplateProblem['path'], message: string) => [
    { rule, path, message },
  ]
  return [
    ...(isProduct && !hasButton
      ? problem('product_button', ['buttons'], 'A product above the message needs the button that shows it')
      : []),
    ...(hasButton && !isProduct
      ? problem(
          'product_button',
          ['buttons'],
          'This button shows the product above the message: choose that kind of header',
        )
      : []),
    ...(id !== undefined && !isValueOrVariable(id, templateLimits.product)
      ? problem('product_form', ['headerMedia', 'product', 'id'], productForm)
      : []),
  ]
}

const productForm = `Enter a product’s content ID of at most ${templateLimits.product} characters, or one variable: {{product}}`

/** Product above a message, as far as it is known. */
type ProductHeader = { readonly product?: { readonly id: string } | undefined } | undefined

/**
 * Returns why a product cannot take the place of the one that a stored template has; `undefined` where it can.
 * @returns `isLocked` where another variable would have to be filled, of which flows and campaigns know nothing.
 */
export function newProductProblem(
  before: ProductHeader,
  after: ProductHeader,
): { readonly message: string; readonly isLocked: boolean } | undefined {
  const [from, to] = [before?.product?.id, after?.product?.id]
  if (to === undefined) return undefined
  if (!isValueOrVariable(to, templateLimits.product)) return { message: productForm, isLocked: false }
  const [filled, fills] = [from, to].map((id) => placeholdersOf(id).join())
  if (from === undefined || filled === fills) return undefined
  const stays = filled === '' ? 'it has no variable' : `its variable is {{${filled}}}`
  return {
    message: `The variable of the product cannot change (${stays}): flows and campaigns fill it. Write a new template.`,
    isLocked: true,
  }
}

function sampleProblems(content: JudgedTemplate): TemplateProblem[] {
  return writtenPlaceholders(content).flatMap((key) => {
    const sample = content.examples[key]?.trim() ?? ''
    const problem = (rule: TemplateProblem['rule'], message: string) => [{ rule, path: ['examples', key], message }]
    if (sample === '') return problem('sample_missing', 'Enter a sample value')
    // The rule that holds for the values of a send (errors 132012 and 132018).
    if (/[\r\n\t]| {5}/.test(sample))
      return problem('sample_form', 'A value cannot contain line breaks, tabs or more than four spaces in a row')
    if (sample.length > maxCode && isCode(content, key))
      return problem('sample_form', `A code has at most ${maxCode} characters`)
    return []
  })
}

/** Returns whether a variable is the code that customers copy. */
const isCode = ({ category, buttons }: JudgedTemplate, key: string): boolean =>
  category === 'authentication' || buttons.some(({ code }) => code === `{{${key}}}`)

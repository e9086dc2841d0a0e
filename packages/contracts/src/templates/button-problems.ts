import type { JudgedButton } from './template-buttons.ts'
import type { TemplateProblem } from './template-findings.ts'
import { templateLimits } from './template-limits.ts'

type Rule = TemplateProblem['rule']

/** Maximum buttons of each kind, and what is said beyond it. */
const counts: readonly { kind: string; most: number; rule: Rule; message: string }[] = [
  {
    kind: 'url',
    most: templateLimits.urlButtons,
    rule: 'url_count',
    message: `At most ${templateLimits.urlButtons} buttons open a website`,
  },
  { kind: 'phone', most: 1, rule: 'phone_count', message: 'At most one button calls a phone number' },
  { kind: 'copy_code', most: 1, rule: 'code_count', message: 'At most one button copies a code' },
  { kind: 'flow', most: 1, rule: 'flow_count', message: 'At most one button opens a form' },
  { kind: 'voice_call', most: 1, rule: 'voice_call_count', message: 'At most one button calls on WhatsApp' },
]

const isShop = ({ kind }: Pick<JudgedButton, 'kind'>): boolean =>
  kind === 'catalog' || kind === 'products' || kind === 'product'

/** Returns the buttons that cannot stand together, each beside the list. */
export function buttonsProblems(
  {
    buttons,
    category,
    header,
  }: { readonly buttons: readonly JudgedButton[]; category: string; header?: string | undefined },
  isCard = false,
): TemplateProblem[] {
  const problem = (rule: Rule, message: string) => ({ rule, path: ['buttons'], message })
  const kinds = buttons.map(({ kind }) => (kind === 'quick_reply' ? 'reply' : 'other'))
  const groups = kinds.filter((kind, index) => kind === 'reply' && kind !== kinds[index - 1]).length
  const hasShop = buttons.some(isShop)
  return [
    ...counts
      .filter(({ kind, most }) => buttons.filter((button) => button.kind === kind).length > most)
      .map(({ rule, message }) => problem(rule, message)),
    // Those of a card may stand in any order, as long as it is that of every card.
    ...(groups > 1 && !isCard
      ? [problem('replies_apart', 'Quick replies stand together, before or after the other buttons')]
      : []),
    ...(hasShop && buttons.length > 1
      ? [problem('catalog_alone', 'A button to the catalogue or to products stands alone')]
      : []),
    ...(hasShop && category !== 'marketing'
      ? [problem('marketing_only', 'WhatsApp takes a button to the catalogue or to products in marketing alone')]
      : []),
    ...(buttons.some(({ kind }) => kind === 'products') && !header
      ? [problem('products_header', 'A message with products needs a header of text')]
      : []),
  ]
}

/** Returns what is wrong with each button by itself. */
export const buttonProblems = (
  button: JudgedButton,
  index: number,
  all: readonly JudgedButton[],
): TemplateProblem[] => {
  const problem = (rule: Rule, field: string, message: string) => [{ rule, path: ['buttons', index, field], message }]
  const text = wordsOf(button)
  return [
    ...(/\{\{|\}\}/.test(text) ? problem('button_variable', 'text', 'A button’s text cannot contain variables') : []),
    ...(text !== '' && all.findIndex((other) => wordsOf(other) === text) < index
      ? problem('button_text_twice', 'text', 'Another button has this text: each button needs its own')
      : []),
    ...(isAddressOfMachine(button.url)
      ? problem('url_ip', 'url', 'WhatsApp refuses IP addresses: use the name of your website')
      : []),
    ...(button.tracked !== undefined && !hasFixedHost(button.url)
      ? problem(
          'url_host_variable',
          'url',
          'A variable stands after the name of your website, as in https://example.com/{{1}}',
        )
      : []),
    ...(button.kind === 'phone' && !/^\+[1-9]\d{6,14}$/.test(button.phone ?? '')
      ? problem('phone_form', 'phone', 'Enter a phone number with its country code')
      : []),
    ...(button.kind === 'copy_code' && !isValueOrVariable(button.code, templateLimits.code)
      ? problem(
          'code_form',
          'code',
          `Enter a code of at most ${templateLimits.code} characters, or one variable: {{code}}`,
        )
      : []),
    ...(button.kind === 'flow' && !button.form?.trim() ? problem('form_choice', 'form', 'Choose a form') : []),
    ...(/[^A-Za-z_]/.test(button.screen?.trim() ?? '')
      ? problem('screen_form', 'screen', 'A screen’s name has letters and _ only, such as WELCOME_SCREEN')
      : []),
    ...(button.kind === 'voice_call' && !isMinutes(button.minutes)
      ? problem(
          'call_minutes',
          'minutes',
          `Between 1 minute and 30 days, which are ${templateLimits.callMinutes} minutes`,
        )
      : []),
    ...(isShop(button) && !isProduct(button)
      ? problem(
          'product_form',
          'product',
          `Enter a product’s content ID of at most ${templateLimits.product} characters, or one variable: {{product}}`,
        )
      : []),
    ...sectionsProblem(button).flatMap((message) => problem('sections_form', 'sections', message)),
  ]
}

const wordsOf = ({ text }: JudgedButton): string => text.trim().toLowerCase()

function isAddressOfMachine(url = ''): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return /^\d+(\.\d+){3}$|^\[/.test(host)
}

/** Nothing that is filled in can lead to another website. */
const hasFixedHost = (url = ''): boolean => !url.includes('{{') || /^https?:\/\/[^/?#\\{]+[/?#]/i.test(url)

/** Returns whether a text is a value of a length, or one variable. */
export const isValueOrVariable = (value = '', max: number): boolean =>
  /^\{\{([a-z][a-z0-9_]{0,63}|[1-9]\d{0,2})\}\}$/.test(value) ||
  (value.trim() !== '' && value.length <= max && !/[{}\r\n\t]/.test(value))

const isMinutes = (minutes: JudgedButton['minutes']): boolean =>
  minutes == null || (Number.isInteger(minutes) && minutes >= 1 && minutes <= templateLimits.callMinutes)

/** A catalogue shows its first product where none is named; a single product stands in the header. */
const isProduct = ({ kind, product = '' }: JudgedButton): boolean =>
  kind === 'product' ||
  (kind === 'catalog' && product.trim() === '') ||
  isValueOrVariable(product, templateLimits.product)

function sectionsProblem({ kind, sections = [] }: JudgedButton): string[] {
  if (kind !== 'products') return []
  const products = sections.flatMap((section) => section.products)
  if (sections.length === 0 || sections.some((section) => section.products.length === 0))
    return ['Each section needs a product']
  if (sections.length > templateLimits.sections) return [`At most ${templateLimits.sections} sections`]
  if (products.length > templateLimits.products) return [`At most ${templateLimits.products} products together`]
  if (sections.some(({ title }) => title.trim() === '' || title.trim().length > templateLimits.sectionTitle))
    return [`Each section needs a title of at most ${templateLimits.sectionTitle} characters`]
  return products.some((id) => id.includes('{') || !isValueOrVariable(id, templateLimits.product))
    ? [`A product’s content ID has at most ${templateLimits.product} characters, and no variable`]
    : []
}

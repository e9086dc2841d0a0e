import { parsePlaceholders, placeholdersOf } from '@parley/contracts/placeholders'
import type { TemplateButton, TemplateContent } from '@parley/contracts/templates'

type Texts = Pick<TemplateContent, 'header' | 'body' | 'footer' | 'buttons'>
type Values = Readonly<Record<string, string>>

const isNamed = ({ header, body }: Texts): boolean => placeholdersOf(header, body).some((key) => !/^\d+$/.test(key))

/** Keys of a text in the order in which WhatsApp counts them: in its numbering each part begins with 1. */
const keysOf = (text: string | undefined): string[] => placeholdersOf(text)

function renumbered(text: string, named: boolean): string {
  const keys = keysOf(text)
  return parsePlaceholders(text)
    .map((piece) => (piece.kind === 'text' || named ? piece.text : `{{${keys.indexOf(piece.key) + 1}}}`))
    .join('')
}

/**
 * A template as WhatsApp reviews it.
 * Source: Meta, WhatsApp Business Management API, message templates.
 */
export function definitionOf(content: TemplateContent) {
  const named = isNamed(content)
  const { name, language, category, header, body, footer, buttons, examples } = content
  const example = (part: 'header' | 'body', text: string) => {
    const keys = keysOf(text)
    if (keys.length === 0) return {}
    const values = keys.map((key) => examples[key] ?? '')
    if (named) {
      const list = keys.map((key, index) => ({ param_name: key, example: values[index] }))
      return { example: { [`${part}_text_named_params`]: list } }
    }
    return { example: part === 'header' ? { header_text: values } : { body_text: [values] } }
  }
  return {
    name,
    language,
    category: category.toUpperCase(),
    parameter_format: named ? 'NAMED' : 'POSITIONAL',
    components: [
      ...(header
        ? [{ type: 'HEADER', format: 'TEXT', text: renumbered(header, named), ...example('header', header) }]
        : []),
      { type: 'BODY', text: renumbered(body, named), ...example('body', body) },
      ...(footer ? [{ type: 'FOOTER', text: footer }] : []),
      ...(buttons.length > 0
        ? [{ type: 'BUTTONS', buttons: buttons.map((button) => buttonOf(button, examples)) }]
        : []),
    ],
  }
}

function buttonOf(button: TemplateButton, examples: Values): object {
  if (button.kind === 'quick_reply') return { type: 'QUICK_REPLY', text: button.text }
  if (button.kind === 'phone') return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone }
  const { tracked } = button
  // What customers see is ours, and leads on to what the author wrote.
  if (tracked !== undefined)
    return { type: 'URL', text: button.text, url: `${tracked}{{1}}`, example: [`${tracked}sample`] }
  const [key] = keysOf(button.url)
  return {
    type: 'URL',
    text: button.text,
    url: renumbered(button.url, false),
    ...(key !== undefined && { example: [examples[key] ?? ''] }),
  }
}

/**
 * The parameters of a send: each part's values in the order in which WhatsApp counts them. Those of counted links are missing:
 * each message has its own.
 */
export function sendComponents(texts: Texts, values: Values): object[] {
  const named = isNamed(texts)
  const parameters = (text: string | undefined) =>
    keysOf(text).map((key) => ({ type: 'text', ...(named && { parameter_name: key }), text: values[key] ?? '' }))
  const part = (type: string, text: string | undefined) => {
    const list = parameters(text)
    return list.length > 0 ? [{ type, parameters: list }] : []
  }
  const buttons = texts.buttons.flatMap((button, index) => {
    const [key] = button.kind === 'url' && button.tracked === undefined ? keysOf(button.url) : []
    if (key === undefined) return []
    const parameter = { type: 'text', text: values[key] ?? '' }
    return [{ type: 'button', sub_type: 'url', index: String(index), parameters: [parameter] }]
  })
  return [...part('header', texts.header), ...part('body', texts.body), ...buttons]
}

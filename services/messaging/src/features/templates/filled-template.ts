import { fillPlaceholders } from '@parley/contracts/placeholders'
import type { Template } from '@parley/contracts/templates'
import { sendComponents } from '../../whatsapp/template-components.ts'

type Filled = Pick<Template, 'id' | 'name' | 'language' | 'header' | 'body' | 'footer' | 'buttons'>

/** What is sent of a template with its values. */
export function filledTemplate(template: Filled, values: Readonly<Record<string, string>>) {
  const { id: templateId, name, language, header, body, footer } = template
  const text = [header, body, footer].flatMap((part) => (part ? fillPlaceholders(part, values) : [])).join('\n\n')
  const components = sendComponents(template, values)
  return { type: 'template' as const, templateId, name, language, text: text.slice(0, 2048), components }
}

import type { Template } from '@parley/contracts/templates/templates'
import { filledParts, shownHeader } from '@parley/rules/template-parts'
import { cleanValues, tooLongPart } from '@parley/rules/template-values'
import { sendComponents } from '../../whatsapp/template-components.ts'
import { contentKey } from './content-key.ts'
import { linksOf } from './link-target.ts'

type Filled = Pick<Template, 'id' | 'name' | 'language' | 'header' | 'headerMedia' | 'body' | 'footer' | 'buttons'> &
  Pick<Template, 'authentication' | 'offer' | 'cards' | 'contentVersion'> & { readonly category?: string | undefined }

/**
 * Fills a template with values, cleaned as WhatsApp takes them. `tooLong` is set where WhatsApp would refuse it; `textKey`
 * identifies the text: the gate holds back a message that customers would not read as it is shown.
 * @param isAwaitingFile true where a file of the recipient's own is put above it later.
 */
export function filledTemplate(template: Filled, chosen: Readonly<Record<string, string>>, isAwaitingFile = false) {
  const values = cleanValues(chosen)
  const above = isAwaitingFile ? undefined : shownHeader(template.headerMedia, values)
  const { id: templateId, name, language } = template
  const components = sendComponents(template, values)
  const links = linksOf(template, values)
  const filled = {
    type: 'template' as const,
    templateId,
    name,
    language,
    ...filledParts(template, values),
    components,
    textKey: contentKey(template),
    ...(template.contentVersion !== undefined && { templateVersion: template.contentVersion }),
  }
  return {
    ...filled,
    ...(above && { header: above }),
    ...(links.length > 0 && { links }),
    ...(tooLongPart(template, values) && { tooLong: true as const }),
  }
}

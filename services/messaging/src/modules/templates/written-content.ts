import type { TemplateContent } from '@parley/contracts/templates/templates'
import { errors } from '@parley/service-kit/core/errors'

/** Counted links begin with our address, whichever one was sent. @throws `validation_failed` where there is none. */
export function withAddress(content: TemplateContent, address: string | undefined): TemplateContent {
  const isCounted = (button: TemplateContent['buttons'][number]) =>
    button.kind === 'url' && button.tracked !== undefined
  if (!content.buttons.some(isCounted)) return content
  if (address === undefined)
    throw errors.validation({ buttons: 'Visits cannot be counted because no link address is set up.' })
  return {
    ...content,
    buttons: content.buttons.map((button) => (isCounted(button) ? { ...button, tracked: address } : button)),
  }
}

/** Omits parts that a member left empty. */
export const present = ({ header, footer, ...content }: TemplateContent) => ({
  ...content,
  ...(header && { header }),
  ...(footer && { footer }),
})

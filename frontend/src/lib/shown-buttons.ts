import { copyCodeText } from '@parley/contracts/templates/template-authentication'
import type { Template } from '@parley/contracts/templates/templates'

/** The buttons that customers see: WhatsApp adds that of an authentication template. */
export const shownButtons = ({
  authentication,
  buttons,
}: Pick<Template, 'authentication' | 'buttons'>): Pick<Template['buttons'][number], 'kind' | 'text'>[] =>
  authentication ? [{ kind: 'copy_code', text: copyCodeText }] : buttons

import { type Template, templateLanguages } from '@parley/contracts/templates/templates'
import { unsendableReason } from '@parley/contracts/templates/unsendable'
import type { Tone } from '../../ui/status-badge.tsx'

export const statusLabels: Record<Template['status'], { word: string; tone: Tone }> = {
  draft: { word: 'Draft', tone: 'neutral' },
  pending: { word: 'Pending', tone: 'warning' },
  approved: { word: 'Approved', tone: 'success' },
  rejected: { word: 'Rejected', tone: 'danger' },
  paused: { word: 'Paused', tone: 'warning' },
  disabled: { word: 'Disabled', tone: 'neutral' },
}

/** Returns the reason why a template that is not approved cannot be used; `undefined` for one that can. */
export function unusableReason(template: Template): string | undefined {
  const { status } = template
  if (status === 'approved') return unsendableReason(template)
  if (status === 'pending') return 'WhatsApp is still reviewing it'
  if (status === 'rejected') return 'WhatsApp rejected it: edit it first'
  if (status === 'paused') return 'WhatsApp paused it for low quality'
  return status === 'disabled' ? 'WhatsApp disabled it' : 'It has not been sent for review'
}

/** `EN`, `PT (BR)`: a language code as the cards show it. */
export function languageCode(language: string): string {
  const [code = '', region] = language.split('_')
  return region ? `${code.toUpperCase()} (${region})` : code.toUpperCase()
}

export const languageName = (language: string): string =>
  templateLanguages.find(({ value }) => value === language)?.label ?? language

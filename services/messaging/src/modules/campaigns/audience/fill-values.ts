import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { type NamedContact, templateValue, usesFallback } from '@parley/flow/template-values'
import { writtenPhone } from '@parley/phone'
import type { CampaignRecord } from '../campaigns.model.ts'

type Fillable = Pick<CampaignRecord, 'template' | 'variables'>

/** Bits that a number holds exactly; WhatsApp takes no template with as many variables. */
const maxBits = 50

/**
 * Fills the template's variables for one contact after the other: what a contact reads in the place of each, and a bit for each that
 * is a fallback.
 */
export function createFill({ template, variables }: Fillable) {
  const sources = templatePlaceholders(template).map((key) => ({ key, source: variables[key] }))
  // Formatting a number for people takes longer than all the rest.
  const namesPhone = sources.some(({ source }) => source?.kind === 'field' && source.field === 'phone')

  return (contact: NamedContact) => {
    const { phone } = contact
    const shown = namesPhone && phone ? { ...contact, phone: writtenPhone(phone) } : contact
    let fallbacks = 0
    const values: Record<string, string> = {}
    for (const [index, { key, source }] of sources.entries()) {
      values[key] = source ? templateValue(source, shown) : ''
      if (source && index < maxBits && usesFallback(source, shown)) fallbacks += 2 ** index
    }
    return { values, fallbacks }
  }
}

/** Counts the recipients for whom each variable is filled with its fallback. @param groups number of rows by their bits. */
export function fallbacksOf(
  { template, variables }: Fillable,
  groups: readonly { readonly fallbacks: number; readonly count: number }[],
): { key: string; count: number }[] {
  const has = (bits: number, index: number) => Math.floor(bits / 2 ** index) % 2 === 1
  return templatePlaceholders(template).flatMap((key, index) =>
    variables[key]?.kind === 'field' && index < maxBits
      ? [{ key, count: groups.reduce((sum, { fallbacks, count }) => sum + (has(fallbacks, index) ? count : 0), 0) }]
      : [],
  )
}

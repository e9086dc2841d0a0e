import { templatePlaceholders } from '@parley/contracts/placeholders'
import { type NamedContact, templateValue, usesFallback } from '@parley/flow/template-values'
import { parsePhone } from '@parley/phone'
import type { CampaignRecord } from './campaigns.model.ts'

type Fillable = Pick<CampaignRecord, 'template' | 'variables'>

/** So many bits a number holds exactly; WhatsApp takes no template with as many variables. */
const mostBits = 50

/** What a contact reads in the places of the template's variables, and a bit for each of them that is a fallback. */
export function fill({ template, variables }: Fillable, { phone, ...named }: NamedContact) {
  const shown = { ...named, ...(phone && { phone: parsePhone(phone)?.international ?? phone }) }
  let fallbacks = 0
  const values: Record<string, string> = {}
  for (const [place, key] of templatePlaceholders(template).entries()) {
    const source = variables[key]
    values[key] = source ? templateValue(source, shown) : ''
    if (source && place < mostBits && usesFallback(source, shown)) fallbacks += 2 ** place
  }
  return { values, fallbacks }
}

/** For how many each variable that may have one is filled with its fallback. @param groups how many rows have which bits. */
export function fallbacksOf(
  { template, variables }: Fillable,
  groups: readonly { readonly fallbacks: number; readonly count: number }[],
): { key: string; count: number }[] {
  const has = (bits: number, place: number) => Math.floor(bits / 2 ** place) % 2 === 1
  return templatePlaceholders(template).flatMap((key, place) =>
    variables[key]?.kind === 'field' && place < mostBits
      ? [{ key, count: groups.reduce((sum, { fallbacks, count }) => sum + (has(fallbacks, place) ? count : 0), 0) }]
      : [],
  )
}

import type { Segment } from '@parley/contracts/contacts'
import { type ContactPart, sinceDays } from './contact-query.ts'

interface BuiltIn extends Omit<Segment, 'count'> {
  /** Undefined: everybody. */
  readonly part: ((now: Date) => ContactPart) | undefined
}

const tagged = (tag: string): Pick<BuiltIn, 'filter' | 'part' | 'description'> => ({
  description: `Tagged ${tag}`,
  filter: { match: 'all', conditions: [{ field: 'tags', comparison: 'contains', value: tag }] },
  part: () => ({ index: 'tags', filter: { tags: tag } }),
})

/** The segments that every workspace has. */
export const segments: readonly BuiltIn[] = [
  {
    id: 'all',
    name: 'All Contacts',
    description: 'Everyone',
    filter: { match: 'all', conditions: [] },
    part: undefined,
  },
  { id: 'vip', name: 'VIP', ...tagged('vip') },
  { id: 'leads', name: 'Leads', ...tagged('lead') },
  {
    id: 'active',
    name: 'Active',
    description: 'Contacted in the last 30 days',
    filter: { match: 'all', conditions: [{ field: 'lastContactAt', comparison: 'within_days', value: 30 }] },
    part: (now) => ({ index: 'last', filter: { lastContactAt: { $gte: sinceDays(now, 30) } } }),
  },
]

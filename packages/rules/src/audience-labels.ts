import type { Audience, Exclusion } from '@parley/contracts/campaigns/campaign-fields'

/** Whoever carries some tags. */
export const tagsLabels = ({ tags, match }: Pick<Extract<Audience, { kind: 'tags' }>, 'tags' | 'match'>): string =>
  `${match === 'all' && tags.length > 1 ? 'Tagged with all of' : 'Tagged'} ${tags.join(', ')}`

/** Whom an audience goes without. @param nameOf the name of a segment that is known. */
export const withoutLabels = ({ tags, segmentIds }: Exclusion, nameOf: (id: string) => string | undefined): string =>
  [...tags, ...segmentIds.map((id) => nameOf(id) ?? 'a deleted segment')].join(', ')

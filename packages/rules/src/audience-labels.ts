import type { Audience, Exclusion } from '@parley/contracts/campaigns/campaign-fields'

/** Returns the labels of an audience by tags. */
export const tagsLabels = ({ tags, match }: Pick<Extract<Audience, { kind: 'tags' }>, 'tags' | 'match'>): string =>
  `${match === 'all' && tags.length > 1 ? 'Tagged with all of' : 'Tagged'} ${tags.join(', ')}`

/**
 * Returns the labels of those that an audience leaves out.
 * @param nameOf the name of a segment that is known.
 */
export const withoutLabels = ({ tags, segmentIds }: Exclusion, nameOf: (id: string) => string | undefined): string =>
  [...tags, ...segmentIds.map((id) => nameOf(id) ?? 'a deleted segment')].join(', ')

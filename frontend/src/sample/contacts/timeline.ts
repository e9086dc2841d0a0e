import type { TimelineItem } from '@parley/contracts/contact-timeline'
import type { Contact } from '@parley/contracts/contacts'
import type { Story } from '@parley/sample/story'
import { mergedInto } from './merging.ts'

/** How a contact was added and with whom it was merged; the newest first. */
export const timelineOf = (story: Story, { id, source, createdAt }: Contact): TimelineItem[] => [
  ...mergedInto(story, id).map(
    ({ id: otherId, name, at, memberId }): TimelineItem => ({
      id: `merged-${otherId}`,
      kind: 'merged',
      name,
      at,
      ...(memberId !== undefined && { memberId }),
    }),
  ),
  { id: `added-${id}`, kind: 'added', source, at: createdAt },
]

import type { TimelineItem } from '@parley/contracts/contacts/contact-timeline'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { mergedInto } from './merging.ts'

/** Returns how a contact was added and with whom it was merged; the newest first. */
export const timelineOf = (sampleDataset: SampleDataset, { id, source, createdAt }: Contact): TimelineItem[] => [
  ...mergedInto(sampleDataset, id).map(
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

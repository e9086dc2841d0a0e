import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { createContactNotes } from '../../inbox/messages/contact-notes.ts'
import { createTimeline } from './timeline.service.ts'
import { timelineSources } from './timeline-sources.ts'

type Sources = Parameters<typeof timelineSources>[0]

/** Wires the timeline of a contact. */
export function createContactTimeline({
  mongo,
  cursors,
  find,
  allMerged,
  ...sources
}: Omit<Sources, 'notes'> &
  Pick<Parameters<typeof createTimeline>[0], 'find' | 'allMerged'> & {
    readonly mongo: ServiceConnection
    readonly cursors: PageCursors
  }) {
  const notes = createContactNotes(mongo)
  return createTimeline({ find, allMerged, cursors, sources: timelineSources({ ...sources, notes }) })
}

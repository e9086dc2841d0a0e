import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { createFileHolders } from '../../../file-holders.ts'
import type { Person } from '../../../platform/person.ts'
import { createNoteErased } from '../../analytics/erased-figures.ts'
import { createRemoveEvents } from '../../channel/ingest/person-events.ts'
import { createRemoveOrphanUpdates } from '../../inbound/person-orphan-updates.ts'
import { mediaOf } from '../../inbox/messages/message-files.ts'
import { createPersonMessages } from '../../inbox/messages/person-messages.ts'
import { createRemoveSearchTerms } from '../../inbox/search/person-search-terms.ts'
import { createRemoveFile } from '../../media/media.service.ts'
import { createReleasedNotes } from '../../media/released-notes.ts'

const batchSize = 100

/** Deletes what a person has written and was sent, with its files, its words, and WhatsApp's events about it. */
export function createEraseMessages(mongo: ServiceConnection, transaction: RunInTransaction) {
  const messages = createPersonMessages(mongo)
  const removeSearchTerms = createRemoveSearchTerms(mongo)
  const removeFile = createRemoveFile(mongo)
  const recordErased = createNoteErased(mongo)
  const fileHolders = createFileHolders(mongo)
  const released = createReleasedNotes(mongo)
  const [events, parked] = [createRemoveEvents(mongo), createRemoveOrphanUpdates(mongo)]

  /** Messages go last: as long as they are there, a worker that follows a killed one finds what belongs to them. */
  return async (scope: WorkspaceScope, { conversationIds }: Pick<Person, 'conversationIds'>): Promise<void> => {
    for (;;) {
      const batch = await messages.some(scope, conversationIds, batchSize)
      if (batch.length === 0) return
      const sent = new Set(batch.filter(({ direction }) => direction !== 'inbound').flatMap(mediaOf))
      // One content is stored once: a file that another person has sent or got too stays. One of ours may be a flow's, too: it goes later.
      for (const mediaId of new Set(batch.flatMap(mediaOf)))
        if (sent.has(mediaId)) await released.note(scope, mediaId)
        else if (!(await fileHolders.isHeld(scope, mediaId, conversationIds))) await removeFile(scope, mediaId)
      const known = batch.flatMap(({ waMessageId, formerWaMessageIds = [] }) => [
        ...(waMessageId === undefined ? [] : [waMessageId]),
        ...formerWaMessageIds,
      ])
      await events.about(scope, known)
      await parked.about(scope, known)
      const ids = batch.map(({ id }) => id)
      await transaction(async (tx) => {
        await removeSearchTerms(scope, ids, tx)
        await recordErased(scope, await messages.byIds(scope, ids, tx), tx)
        await messages.remove(scope, ids, tx)
      })
    }
  }
}

import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Records } from '../../../records.ts'
import type { MediaService } from '../../media/media.service.ts'
import { createReleasedNotes } from '../../media/released-notes.ts'
import { createMessageFiles } from '../messages/message-files.ts'
import { conversationsIn } from './conversations.model.ts'
import type { InboxService } from './inbox.service.ts'
import { visibleTo } from './visible-to.ts'

/** Messages with one file that are looked at; a file that more have is looked for in the member's own conversations. */
const few = 1000
/** Latest conversations of a member, and of nobody, in which such a file is looked for. */
const maxRecent = 1000

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly fileHolders: Pick<Records['fileHolders'], 'isForAll' | 'isHeldApart'>
  readonly media: Pick<MediaService, 'hasUploaded'>
  readonly visibleOf: InboxService['visibleOf']
}

/**
 * Tells whether the caller may see a file: where a conversation with it is theirs to see, where they have uploaded it themselves, and
 * where a template, a campaign or a saved reply has it, which are everybody's. One that no message has is everybody's until it is given up.
 * @param limits messages and conversations that are looked at; smaller in tests.
 */
export function createSeesFile(deps: Dependencies, limits = { few, maxRecent }) {
  const { fileHolders, media } = deps
  const messageFiles = createMessageFiles(deps.mongo)
  const conversations = conversationsIn(deps.mongo)
  const released = createReleasedNotes(deps.mongo)

  async function isInRecent(scope: WorkspaceScope, mediaId: string): Promise<boolean> {
    // Those of nobody are many, and would leave no room for the member's own.
    for (const viewers of visibleTo(scope).viewers?.$in ?? []) {
      const recent = await conversations(scope)
        .find({ viewers })
        .sort({ 'lastMessage.at': -1, _id: -1 })
        .limit(limits.maxRecent)
        .select('viewers')
        .hint('viewers')
      const ids = recent.map(({ id }) => id)
      if (await messageFiles.isIn(scope, mediaId, ids)) return true
    }
    return false
  }

  return async function seesFile(scope: WorkspaceScope, mediaId: string): Promise<boolean> {
    if (await media.hasUploaded(scope, mediaId)) return true
    if (await fileHolders.isForAll(scope, mediaId)) return true
    const { ids, isAll } = await messageFiles.conversationsWith(scope, mediaId, limits.few)
    if ((await deps.visibleOf(scope, ids)).length > 0) return true
    if (!isAll && (await isInRecent(scope, mediaId))) return true
    // A file that was deleted with its messages, or is to be sent to one recipient, waits for nobody who looks at it.
    return ids.length === 0 && !(await released.has(scope, mediaId)) && !(await fileHolders.isHeldApart(scope, mediaId))
  }
}

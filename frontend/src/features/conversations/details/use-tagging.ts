import type { Conversation } from '@parley/contracts/inbox/conversations'
import { offerUndo } from '../../../lib/undo.ts'
import { useChangeTag } from '../changes.ts'

/** Adds and removes single tags of the contact, each with Undo. */
export function useTagging(conversation: Conversation) {
  const { mutateAsync } = useChangeTag(conversation)
  const { name } = conversation.contact
  const perform = (change: Parameters<typeof mutateAsync>[0], inverse: typeof change, done: string): void => {
    mutateAsync(change).then(
      () =>
        offerUndo(done, async () => {
          await mutateAsync(inverse)
        }),
      // The change has already reported its failure.
      () => {},
    )
  }
  return {
    add: (tag: string) => perform({ add: tag }, { remove: tag }, `Tag ${tag} added to ${name}`),
    remove: (tag: string) => perform({ remove: tag }, { add: tag }, `Tag ${tag} removed from ${name}`),
  }
}

import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createCampaignFiles } from './modules/campaigns/campaign-files.ts'
import { createMessageFiles } from './modules/inbox/messages/message-files.ts'
import { createReplyFiles } from './modules/inbox/replies/reply-files.ts'
import { createRecipientFileUses } from './modules/outbound/recipient-files/recipient-file-uses.ts'
import { createTemplateFiles } from './modules/templates/template-files.ts'

/**
 * Whose a file is by its holder: of those who see the conversation of a message, of all members, or of one recipient of a campaign,
 * which nobody sees before it is sent.
 */
type Reach = 'conversation' | 'workspace' | 'recipient'

/** Returns whether it has a file. @param exceptIn conversations whose messages do not count. */
type Has = (scope: WorkspaceScope, mediaId: string, exceptIn: readonly string[]) => Promise<boolean>

/**
 * All that may have a file of ours, beside flows, of which automation knows. One content is stored once: it is deleted when none of
 * them has it any more. Notes for the team are messages.
 */
export function createFileHolders(mongo: ServiceConnection) {
  const holders: readonly { readonly reach: Reach; readonly has: Has }[] = [
    { reach: 'workspace', has: createReplyFiles(mongo) },
    { reach: 'workspace', has: createTemplateFiles(mongo) },
    { reach: 'workspace', has: createCampaignFiles(mongo) },
    { reach: 'recipient', has: createRecipientFileUses(mongo).hasFile },
    { reach: 'conversation', has: createMessageFiles(mongo).isElsewhere },
  ]

  /** @param reaches of the holders that are asked. */
  async function some(
    scope: WorkspaceScope,
    mediaId: string,
    { reaches, exceptIn = [] }: { reaches: readonly Reach[]; exceptIn?: readonly string[] },
  ): Promise<boolean> {
    for (const { reach, has } of holders)
      if (reaches.includes(reach) && (await has(scope, mediaId, exceptIn))) return true
    return false
  }

  return {
    /** Returns whether anything has a file. @param exceptIn conversations whose messages do not count. */
    isHeld: (scope: WorkspaceScope, mediaId: string, exceptIn: readonly string[] = []): Promise<boolean> =>
      some(scope, mediaId, { reaches: ['workspace', 'recipient', 'conversation'], exceptIn }),
    /** Returns whether something other than a message has a file. */
    isHeldApart: (scope: WorkspaceScope, mediaId: string): Promise<boolean> =>
      some(scope, mediaId, { reaches: ['workspace', 'recipient'] }),
    /** Returns whether something has a file that every member may see. */
    isForAll: (scope: WorkspaceScope, mediaId: string): Promise<boolean> =>
      some(scope, mediaId, { reaches: ['workspace'] }),
  }
}

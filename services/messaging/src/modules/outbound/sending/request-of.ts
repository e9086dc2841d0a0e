import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { sendBody } from '../../../whatsapp/send-body.ts'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { OutboundMedia } from '../../media/outbound-media.ts'
import { fileOf, sendableOf, withFile } from './sendable.ts'

interface Dependencies {
  readonly contacts: Pick<ContactsService, 'shown'>
  readonly readMessages: (scope: WorkspaceScope, ids: readonly string[]) => PromiseLike<MessageRecord[]>
  readonly knownFiles: OutboundMedia['known']
}

/**
 * Rebuilds the request body of an outbound message from what is stored: no copy of it is kept. The tokens of counted links are
 * left out, as anyone who has one counts as a visitor; a file that WhatsApp does not know yet counts as missing.
 * @returns undefined for what cannot be sent.
 */
export function createRequestOf({ contacts, readMessages, knownFiles }: Dependencies) {
  return async function requestOf(scope: WorkspaceScope, message: MessageRecord): Promise<object | undefined> {
    const file = fileOf(message)
    const [people, quoted, files] = await Promise.all([
      contacts.shown(scope, [message.contactId]),
      message.replyTo === undefined ? [] : readMessages(scope, [message.replyTo]),
      file === undefined ? new Map<string, string>() : knownFiles(scope, message.numberId, [file]),
    ])
    const contact = people.get(message.contactId)
    const { phone, waUserId: userId } = contact ?? {}
    const content = withFile(
      sendableOf(message, () => '…'),
      file,
      file === undefined ? undefined : files.get(file),
    )
    if (!content || (phone === undefined && userId === undefined)) return undefined
    return sendBody({ phone, userId }, content, { callbackData: message.id, replyTo: quoted[0]?.waMessageId })
  }
}

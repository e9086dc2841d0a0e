import type { Recipient } from '@parley/contracts/campaigns/campaign-recipients'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { classifyError } from '../../../whatsapp/error-classes.ts'
import type { ContactRecord, ContactsService } from '../../contacts/contacts.service.ts'
import type { MessageOutcome, MessageRecord } from '../../inbox/messages/messages.service.ts'
import type { RecipientRecord } from './recipients.model.ts'

export type ShowRecipients<M extends MessageOutcome = MessageRecord> = ReturnType<typeof createShowRecipients<M>>

/** Shows rows with the states of their messages and their contacts: two reads for all of them. */
export const createShowRecipients =
  <M extends MessageOutcome>({
    readMessages,
    contacts: { shown: readContacts },
  }: {
    readMessages: (scope: WorkspaceScope, ids: readonly string[]) => PromiseLike<M[]>
    contacts: Pick<ContactsService, 'shown'>
  }) =>
  async (scope: WorkspaceScope, records: readonly RecipientRecord[]) => {
    const [messages, contacts] = await Promise.all([
      readMessages(
        scope,
        records.map((row) => row.id),
      ),
      readContacts(
        scope,
        records.map(({ contactId }) => contactId),
      ),
    ])
    const byId = new Map(messages.map((message) => [message.id, message]))
    return records.map((row) => {
      const message = byId.get(row.id)
      return {
        recipient: toRecipient(row, message, contacts.get(row.contactId)),
        /** Category that WhatsApp has billed the message as; empty as long as it has not said so. */
        billedAs: message?.pricing?.category ?? '',
        message,
      }
    })
  }

const shownStates = { pending: 'waiting', queued: 'waiting', skipped: 'left_out' } as const

function toRecipient(
  row: RecipientRecord,
  message: MessageOutcome | undefined,
  contact: ContactRecord | undefined,
): Recipient {
  const { id, contactId, state, reason, clicked, clickedAt, replied, to } = row
  const phone = contact?.phone ?? (to?.startsWith('+') ? to : undefined)
  const code =
    state === 'failed' ? (message?.error?.code ?? (reason === undefined ? undefined : Number(reason))) : undefined
  const explanation = reasonOf(row, code)
  return {
    id,
    contactId,
    name: (contact?.name ?? '').slice(0, 200),
    ...(phone !== undefined && { phone }),
    known: contact?.live === true,
    state: state === 'pending' || state === 'queued' || state === 'skipped' ? shownStates[state] : state,
    ...(explanation !== undefined && { reason: explanation }),
    ...(code !== undefined && { code }),
    ...(clicked && { clicked }),
    ...(clickedAt && { clickedAt: clickedAt.toISOString() }),
    ...(replied && { replied }),
    times: timesOf(message),
  }
}

function reasonOf({ state, reason }: RecipientRecord, code: number | undefined): string | undefined {
  if (state === 'failed') {
    if (code === undefined) return 'WhatsApp has not said why.'
    const { title, advice } = classifyError(code)
    return `${title}. ${advice}`
  }
  if (state === 'uncertain') return 'WhatsApp has not confirmed whether it was sent, so Parley does not send it again.'
  return state === 'skipped' ? (leftOutLabels[reason ?? ''] ?? 'Left out.') : undefined
}

const leftOutLabels: Readonly<Record<string, string>> = {
  excluded: 'Has a tag, or is in a segment, that the campaign leaves out.',
  country_restricted: 'WhatsApp delivers no marketing to numbers in the United States.',
  unreachable: 'Could not be reached in three campaigns in a row.',
  opted_out: 'Opted out.',
  no_opt_in: 'Has not agreed to marketing.',
  recently_messaged: 'Got marketing recently.',
  blocked: 'The contact is blocked.',
  deleted: 'The contact was deleted.',
  no_address: 'Has no phone number.',
  duplicate_address: 'Another contact of the audience has the same number.',
  window_closed: 'The 24-hour window was closed.',
  template_not_approved: 'The template was not approved.',
  value_too_long: 'With these values the text is longer than WhatsApp sends.',
  offer_ended: 'The offer had ended before the message could leave.',
  template_changed: 'The template’s text has changed.',
  no_file: 'The contact has no value for the address of the file.',
  bad_file_address: 'The address of the file is none that Parley can call.',
  taken_back: 'Cancelled before it was sent.',
}

function timesOf(message: MessageOutcome | undefined): Recipient['times'] {
  const { sent, delivered, read, failed } = message?.statusAt ?? {}
  return {
    ...(sent && { sent: sent.toISOString() }),
    ...(delivered && { delivered: delivered.toISOString() }),
    ...(read && { read: read.toISOString() }),
    ...(failed && { failed: failed.toISOString() }),
  }
}

import { Readable } from 'node:stream'
import { writtenPhone } from '@parley/phone'
import { byteOrderMark, csvLine, lineEnd } from '@parley/rules/csv-cells'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { MessageOutcome } from '../../inbox/messages/messages.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { CampaignsService } from '../campaigns.service.ts'
import { checkRowsKept } from './old-rows.ts'
import { rowsBehind, type Which } from './recipient-lists.repository.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import { createShowRecipients, type ShowRecipients } from './show-recipients.ts'

const batchSize = 1000

/** Downloads a campaign's recipients, and the outcome of each, as CSV: read as it is sent, a batch at a time. */
export function createRecipientsDownload({
  shown: { find },
  recipients,
  messages,
  contacts,
}: {
  shown: Pick<CampaignsService, 'find'>
  recipients: Pick<RecipientsRepository, 'after'>
  messages: Pick<Outbox, 'readOutcomes'>
  contacts: Pick<ContactsService, 'shown'>
}) {
  const show = createShowRecipients({ contacts, readMessages: messages.readOutcomes })

  /** @throws `not_found`, `recipients_removed`. */
  return async (scope: WorkspaceScope, id: string, which: Which): Promise<FileAnswer> => {
    const campaign = await find(scope, id)
    checkRowsKept(campaign)
    async function* lines() {
      yield byteOrderMark + csvLine(header) + lineEnd
      const read = async (after?: string) =>
        recipients.after(scope, campaign.id, rowsBehind(which), { after, limit: batchSize })
      let next = read()
      for (let isMore = true; isMore; ) {
        const batch = await next
        isMore = batch.length === batchSize
        if (isMore) {
          // The next batch is read while this one is written; a client that has disconnected meanwhile does not wait for it.
          next = read(batch.at(-1)?.id)
          next.catch(() => undefined)
        } else {
          // A file that ends here is all of it, or it breaks off.
          checkRowsKept(await find(scope, id))
        }
        yield (await show(scope, batch)).map((shown) => csvLine(cellsOf(shown)) + lineEnd).join('')
      }
    }
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `${campaign.name} ${(which.outcome ?? 'recipients').replaceAll('_', ' ')}.csv`,
      open: () => Readable.from(lines(), { objectMode: false }),
    }
  }
}

const header = ['Name', 'Phone', 'State', 'Code', 'Reason', 'Clicked', 'Replied'].concat([
  ...['Sent', 'Delivered', 'Read', 'Failed', 'Link opened', 'Billed as', 'Contact ID', 'Message ID'],
])

type Shown = Awaited<ReturnType<ShowRecipients<MessageOutcome>>>[number]

const cellsOf = ({ recipient, billedAs }: Shown): string[] => {
  const {
    id,
    contactId,
    name,
    phone = '',
    state,
    code,
    reason = '',
    clicked,
    clickedAt = '',
    replied,
    times,
  } = recipient
  const { sent = '', delivered = '', read = '', failed = '' } = times
  const answers = [clicked ? 'yes' : '', replied ? 'yes' : '']
  const shownState = state.replace('_', ' ')
  // No spreadsheet takes this notation for a number or a formula.
  const written = writtenPhone(phone)
  return [name, written, shownState, code === undefined ? '' : String(code), reason, ...answers].concat([
    ...[sent, delivered, read, failed, clickedAt, billedAs, contactId, id],
  ])
}

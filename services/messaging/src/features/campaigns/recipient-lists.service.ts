import type { Recipient, RecipientPage, recipientsApi } from '@parley/contracts/campaign-recipients'
import type { EndpointInput } from '@parley/contracts/endpoint'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { classifyError } from '../../whatsapp/error-classes.ts'
import type { ContactListsService } from '../contacts/contact-lists.service.ts'
import type { ContactRecord, ContactsService } from '../contacts/contacts.service.ts'
import type { MessageRecord } from '../messages/messages.service.ts'
import type { Outbox } from '../messages/outbox.ts'
import type { CampaignsService } from './campaigns.service.ts'
import type { RecipientListsRepository, Which } from './recipient-lists.repository.ts'
import type { RecipientRecord, Tallies } from './recipients.model.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import { countsOf, failuresOf } from './tallies.ts'

type Query = EndpointInput<typeof recipientsApi.list>['query']
/** A search that finds more contacts is not specific enough to look their rows up one by one. */
const mostFound = 100

/** Whom a campaign is for, and what has become of each. */
export function createRecipientListsService({
  find,
  rows,
  totals,
  readMessages,
  readContacts,
  searchContacts,
}: {
  /** @throws `not_found`. */
  find: CampaignsService['find']
  rows: RecipientListsRepository
  totals: RecipientsRepository['totals']
  readMessages: Outbox['readMany']
  readContacts: ContactsService['shown']
  searchContacts: ContactListsService['list']
}) {
  /** @throws `not_found`, `search_too_long`. */
  async function list(scope: WorkspaceScope, id: string, query: Query): Promise<RecipientPage> {
    const campaign = await find(scope, id)
    const { q, ...which } = query
    const tallies = (await totals(scope, [campaign.id])).get(campaign.id) ?? {}
    const contactIds = q ? await contactsFound(scope, q) : undefined
    const kept = async () => figureOf(tallies, which)
    const page = await rows.page(scope, campaign.id, { ...which, q, contactIds, kept })
    return {
      ...page,
      items: await show(scope, page.items),
      failures: failuresOf(tallies).map((failure) => ({ ...failure, title: classifyError(failure.code).title })),
    }
  }

  async function contactsFound(scope: WorkspaceScope, q: string): Promise<string[]> {
    const { items, nextCursor } = await searchContacts(scope, { q, limit: mostFound, tags: undefined })
    if (nextCursor !== null)
      throw new AppError(
        'search_too_long',
        `More than ${mostFound} contacts are found. Type more of the name or number.`,
      )
    return items.map((contact) => contact.id)
  }

  async function show(scope: WorkspaceScope, records: readonly RecipientRecord[]): Promise<Recipient[]> {
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
    return records.map((row) => toRecipient(row, byId.get(row.id), contacts.get(row.contactId)))
  }

  return { list }
}

/** The figure that a list of rows stands behind. */
function figureOf(tallies: Tallies, { outcome, code }: Which): number {
  if (code !== undefined) return tallies[`failed ${code}`] ?? 0
  const { excluded, ...counts } = countsOf(tallies)
  const { optedOut: opted_out, noOptIn: no_opt_in, blocked, unreachable } = excluded
  return { ...counts, opted_out, no_opt_in, blocked, unreachable }[outcome ?? 'audience'] ?? 0
}

const shownStates = { pending: 'waiting', queued: 'waiting', skipped: 'left_out' } as const

function toRecipient(
  row: RecipientRecord,
  message: MessageRecord | undefined,
  contact: ContactRecord | undefined,
): Recipient {
  const { id, contactId, state, reason, clicked, replied, to } = row
  const phone = contact?.phone ?? (to?.startsWith('+') ? to : undefined)
  const code =
    state === 'failed' ? (message?.error?.code ?? (reason === undefined ? undefined : Number(reason))) : undefined
  const told = reasonOf(row, code)
  return {
    id,
    contactId,
    name: (contact?.name ?? '').slice(0, 200),
    ...(phone !== undefined && { phone }),
    known: contact?.live === true,
    state: state === 'pending' || state === 'queued' || state === 'skipped' ? shownStates[state] : state,
    ...(told !== undefined && { reason: told }),
    ...(code !== undefined && { code }),
    ...(clicked && { clicked }),
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
  if (state === 'uncertain') return 'WhatsApp has not said whether it left, so it is not sent again.'
  return state === 'skipped' ? (leftOutWords[reason ?? ''] ?? 'Left out.') : undefined
}

const leftOutWords: Readonly<Record<string, string>> = {
  opted_out: 'Opted out.',
  no_opt_in: 'Has not agreed to marketing.',
  blocked: 'The contact is blocked.',
  deleted: 'The contact was deleted.',
  no_address: 'Has no phone number.',
  duplicate_address: 'Another contact of the audience has the same number.',
  window_closed: 'The 24-hour window was closed.',
  template_not_approved: 'The template was not approved.',
  taken_back: 'Taken back before it was sent.',
}

function timesOf(message: MessageRecord | undefined): Recipient['times'] {
  const { sent, delivered, read, failed } = message?.statusAt ?? {}
  return {
    ...(sent && { sent: sent.toISOString() }),
    ...(delivered && { delivered: delivered.toISOString() }),
    ...(read && { read: read.toISOString() }),
    ...(failed && { failed: failed.toISOString() }),
  }
}

import type { Outcome, Recipient, RecipientPage, recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { classifyError } from '../../../whatsapp/error-classes.ts'
import type { ContactListsService } from '../../contacts/contact-lists.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { CampaignsService } from '../campaigns.service.ts'
import type { RecipientListsRepository, Which } from './recipient-lists.repository.ts'
import type { RecipientRecord, Tallies } from './recipients.model.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import type { ShowRecipients } from './show-recipients.ts'
import { countsOf, failuresOf } from './tallies.ts'

type Query = EndpointInput<typeof recipientsApi.list>['query']
/** A search that finds more contacts is not specific enough to look their rows up one by one. */
const maxFound = 100
const nothing = { items: [], total: 0, nextCursor: null, previousCursor: null }

/** Lists a campaign's recipients, and the outcome of each. */
export function createRecipientListsService({
  shown: { find },
  rows,
  recipients: { totals },
  show,
  messages: { answeredBeside },
  contactLists: { list: searchContacts },
}: {
  shown: Pick<CampaignsService, 'find'>
  rows: RecipientListsRepository
  recipients: Pick<RecipientsRepository, 'totals'>
  show: ShowRecipients
  messages: Pick<Outbox, 'answeredBeside'>
  contactLists: Pick<ContactListsService, 'list'>
}) {
  /** @throws `not_found`, `search_too_long`. */
  async function list(scope: WorkspaceScope, id: string, query: Query): Promise<RecipientPage> {
    const campaign = await find(scope, id)
    const { q, ...which } = query
    const tallies = (await totals(scope, [campaign.id])).get(campaign.id) ?? {}
    const contactIds = q && !campaign.rowsRemoved ? await contactsFound(scope, q) : undefined
    const kept = async () => figureOf(tallies, which)
    const { rowsRemoved } = campaign
    const page = rowsRemoved ? nothing : await rows.page(scope, campaign.id, { ...which, q, contactIds, kept })
    return {
      ...page,
      items: await shownIn(scope, page.items),
      ...(rowsRemoved && { removed: { at: rowsRemoved.at.toISOString(), months: rowsRemoved.months } }),
      failures: failuresOf(tallies).map((failure) => {
        const { class: errorClass, title } = classifyError(failure.code)
        return { ...failure, class: errorClass, title }
      }),
    }
  }

  /** Returns the recipients; unconfirmed ones with what is known of others beside them. */
  async function shownIn(scope: WorkspaceScope, records: readonly RecipientRecord[]): Promise<Recipient[]> {
    const shown = await show(scope, records)
    const isAnswered = await answeredBeside(
      scope,
      shown.flatMap(({ recipient, message }) => (message && recipient.state === 'uncertain' ? [message] : [])),
    )
    return shown.map(({ recipient, message }) => {
      const beside = message && recipient.state === 'uncertain' ? isAnswered(message) : undefined
      return beside === undefined ? recipient : { ...recipient, beside: beside ? 'answered' : 'nothing' }
    })
  }

  async function contactsFound(scope: WorkspaceScope, q: string): Promise<string[]> {
    const { items, nextCursor } = await searchContacts(scope, { q, limit: maxFound, tags: undefined })
    if (nextCursor !== null)
      throw new AppError(
        'search_too_long',
        `More than ${maxFound} contacts are found. Type more of the name or number.`,
      )
    return items.map((contact) => contact.id)
  }

  return { list }
}

/** The figure that a list of rows stands behind. */
function figureOf(tallies: Tallies, { outcome, code }: Which): number {
  if (code !== undefined) return tallies[`failed ${code}`] ?? 0
  const { excluded, ...counts } = countsOf(tallies)
  const figures: Partial<Record<Outcome | 'audience', number | null>> = {
    ...counts,
    excluded: excluded.byChoice,
    opted_out: excluded.optedOut,
    no_opt_in: excluded.noOptIn,
    country_restricted: excluded.countryRestricted,
    recently_messaged: excluded.recentlyMessaged,
    blocked: excluded.blocked,
    unreachable: excluded.unreachable,
  }
  return figures[outcome ?? 'audience'] ?? 0
}

import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { ContactListsService } from '../../contacts/contact-lists.service.ts'
import type { ContactsRepository, ContactsService } from '../../contacts/contacts.service.ts'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import type { SegmentsService } from '../../contacts/segments/segments.service.ts'
import type { Outbox } from '../../inbox/messages/outbox.ts'
import type { RetargetAudience } from '../audience/retarget-audience.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import type { CampaignsService } from '../campaigns.service.ts'
import { createCampaignsOfContact } from '../campaigns-of-contact.ts'
import type { DraftsRepository } from '../drafts/drafts.repository.ts'
import type { DraftsService } from '../drafts/drafts.service.ts'
import type { RecipientListsRepository } from '../recipients/recipient-lists.repository.ts'
import { createRecipientListsService } from '../recipients/recipient-lists.service.ts'
import type { RecipientsRepository } from '../recipients/recipients.repository.ts'
import { createRecipientsDownload } from '../recipients/recipients-download.ts'
import { createShowRecipients } from '../recipients/show-recipients.ts'
import { createAudienceAnswers } from './audience-answers.ts'
import { createExplain } from './explain.service.ts'
import { createRetry } from './retry.service.ts'
import { createTimelinePages } from './timeline.repository.ts'
import { createCampaignTimeline } from './timeline.service.ts'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly cursors: PageCursors
  readonly campaigns: CampaignsRepository
  readonly drafts: Pick<DraftsRepository, 'read'>
  readonly recipients: RecipientsRepository
  readonly rows: RecipientListsRepository
  readonly importPeople: ImportPeople
  readonly find: CampaignsService['find']
  readonly createDraft: DraftsService['create']
  readonly retried: RetargetAudience['retried']
  readonly messages: Pick<Outbox, 'readMany' | 'readOutcomes' | 'answeredBeside'>
  readonly contacts: ContactsService
  readonly contactLists: ContactListsService
  readonly mergedIds: ContactsRepository['mergedIds']
  readonly segments: SegmentsService
}

/** Wires what people see of the results of campaigns, and the campaigns that follow them. */
export function createResults(deps: Dependencies) {
  const { mongo, cursors, campaigns, find, recipients, rows, messages, contacts, contactLists, mergedIds } = deps
  const show = createShowRecipients({ readMessages: messages.readMany, readContacts: contacts.shown })
  const answersOf = createAudienceAnswers({ segments: deps.segments, importPeople: deps.importPeople, campaigns, rows })
  return {
    recipientsDownload: createRecipientsDownload({
      find,
      recipients,
      show: createShowRecipients({ readMessages: messages.readOutcomes, readContacts: contacts.shown }),
    }),
    recipientLists: {
      ...createRecipientListsService({
        find,
        rows,
        show,
        totals: recipients.totals,
        answeredBeside: messages.answeredBeside,
        searchContacts: contactLists.list,
      }),
      ...createCampaignsOfContact({
        rows,
        show,
        mergedIds,
        readContact: contactLists.read,
        latestBegun: campaigns.latestBegun,
      }),
    },
    explainRecipient: createExplain({ find, readContact: contacts.read, mergedIds, rows, show, answersOf }),
    campaignTimeline: createCampaignTimeline({
      find,
      drafts: deps.drafts,
      pages: createTimelinePages(mongo, cursors),
    }),
    retryCampaign: createRetry({ retried: deps.retried, createDraft: deps.createDraft }),
  }
}

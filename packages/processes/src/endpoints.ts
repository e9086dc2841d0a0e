import { assignmentApi } from '@parley/contracts/assignment'
import { authApi } from '@parley/contracts/auth'
import { campaignCostApi } from '@parley/contracts/campaign-cost'
import { campaignDraftsApi } from '@parley/contracts/campaign-drafts'
import { recipientsApi } from '@parley/contracts/campaign-recipients'
import { campaignResultsApi } from '@parley/contracts/campaign-results'
import { campaignTextApi } from '@parley/contracts/campaign-text'
import { campaignTimelineApi } from '@parley/contracts/campaign-timeline'
import { campaignsApi } from '@parley/contracts/campaigns'
import { consentApi } from '@parley/contracts/consent'
import { attributesApi } from '@parley/contracts/contact-attributes'
import { contactJobsApi } from '@parley/contracts/contact-jobs'
import { contactMergeApi } from '@parley/contracts/contact-merge'
import { contactTimelineApi } from '@parley/contracts/contact-timeline'
import { contactsApi } from '@parley/contracts/contacts'
import { conversationsApi } from '@parley/contracts/conversations'
import { credentialsApi } from '@parley/contracts/credentials'
import type { Endpoint } from '@parley/contracts/endpoint'
import { eventsApi } from '@parley/contracts/event-stream'
import { identityApi } from '@parley/contracts/identity'
import { importRowsApi } from '@parley/contracts/import-rows'
import { importsApi } from '@parley/contracts/imports'
import { inboxSummaryApi } from '@parley/contracts/inbox-summary'
import { mediaApi } from '@parley/contracts/media'
import { membersApi } from '@parley/contracts/members'
import { messagesApi } from '@parley/contracts/message-endpoints'
import { notificationsApi } from '@parley/contracts/notifications'
import { numbersApi } from '@parley/contracts/numbers'
import { profileApi, profileInternalApi } from '@parley/contracts/profile'
import { rateCardsApi } from '@parley/contracts/rate-cards'
import { readReceiptsApi } from '@parley/contracts/read-receipts'
import { repliesApi } from '@parley/contracts/replies'
import { sampleDataApi } from '@parley/contracts/sample-data'
import { segmentsApi } from '@parley/contracts/segments'
import { sendingHoursApi } from '@parley/contracts/sending-hours'
import { tagsApi } from '@parley/contracts/tags'
import { templateCheckApi } from '@parley/contracts/template-checks'
import { templatesApi } from '@parley/contracts/template-endpoints'
import { templateVersionsApi } from '@parley/contracts/template-versions'
import { billingApi, usageApi } from '@parley/contracts/usage'
import { viewsApi } from '@parley/contracts/views'
import type { ProcessName } from './processes.ts'

/** Which process answers which endpoints. What is not listed here does not exist for the outside. */
export const endpointsOf: Readonly<Partial<Record<ProcessName, readonly Endpoint[]>>> = {
  bff: Object.values(authApi),
  profile: [...Object.values(profileApi), ...Object.values(profileInternalApi), ...Object.values(membersApi)],
  identity: Object.values(identityApi),
  messaging: [
    ...Object.values(contactsApi),
    ...Object.values(tagsApi),
    ...Object.values(consentApi),
    ...Object.values(contactJobsApi),
    ...Object.values(contactMergeApi),
    contactTimelineApi.read,
    ...Object.values(importsApi),
    ...Object.values(importRowsApi),
    ...Object.values(attributesApi),
    ...Object.values(segmentsApi),
    ...Object.values(viewsApi),
    ...Object.values(sampleDataApi),
    ...Object.values(conversationsApi),
    inboxSummaryApi.read,
    ...Object.values(messagesApi),
    ...Object.values(repliesApi),
    ...Object.values(assignmentApi),
    ...Object.values(readReceiptsApi),
    ...Object.values(sendingHoursApi),
    ...Object.values(rateCardsApi),
    ...Object.values(usageApi),
    ...Object.values(billingApi),
    eventsApi.stream,
    ...Object.values(numbersApi),
    ...Object.values(templateCheckApi),
    ...Object.values(templateVersionsApi),
    ...Object.values(templatesApi),
    ...Object.values(campaignsApi),
    ...Object.values(campaignDraftsApi),
    campaignCostApi.read,
    campaignTextApi.read,
    campaignTimelineApi.read,
    ...Object.values(campaignResultsApi),
    ...Object.values(recipientsApi),
    ...Object.values(notificationsApi),
    ...Object.values(credentialsApi),
    ...Object.values(mediaApi),
  ],
}

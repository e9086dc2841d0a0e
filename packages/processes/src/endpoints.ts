import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { keyCallsApi, keysInternalApi } from '@parley/contracts/account/api-keys'
import { auditApi, auditInternalApi, auditRetentionApi } from '@parley/contracts/account/audit'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { identityApi } from '@parley/contracts/account/identity'
import { invitationsApi } from '@parley/contracts/account/invitations'
import { membersApi } from '@parley/contracts/account/members'
import { profileApi } from '@parley/contracts/account/profile'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { settingsApi } from '@parley/contracts/account/settings'
import { workspaceApi } from '@parley/contracts/account/workspace'
import { workspaceDeletionApi, workspaceErasureApi } from '@parley/contracts/account/workspace-deletion'
import { workspaceExportApi, workspaceExportInternalApi } from '@parley/contracts/account/workspace-export'
import { automationSettingsApi } from '@parley/contracts/automation/bot-settings'
import { botsApi } from '@parley/contracts/automation/bots'
import { connectionsApi } from '@parley/contracts/automation/connections'
import { dryRunsApi } from '@parley/contracts/automation/dry-runs'
import { flowJobsApi } from '@parley/contracts/automation/flow-jobs'
import { hooksApi } from '@parley/contracts/automation/hooks'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { runsApi } from '@parley/contracts/automation/run-endpoints'
import { workflowsApi } from '@parley/contracts/automation/workflows'
import { campaignCostApi } from '@parley/contracts/campaigns/campaign-cost'
import { campaignDraftsApi } from '@parley/contracts/campaigns/campaign-drafts'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignResultsApi } from '@parley/contracts/campaigns/campaign-results'
import { campaignTextApi } from '@parley/contracts/campaigns/campaign-text'
import { campaignTimelineApi } from '@parley/contracts/campaigns/campaign-timeline'
import { campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { sendingHoursApi } from '@parley/contracts/campaigns/sending-hours'
import { credentialsApi } from '@parley/contracts/channel/credentials'
import { mediaApi } from '@parley/contracts/channel/media'
import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { consentApi } from '@parley/contracts/contacts/consent'
import { attributesApi } from '@parley/contracts/contacts/contact-attributes'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import { contactMergeApi } from '@parley/contracts/contacts/contact-merge'
import { contactTimelineApi } from '@parley/contracts/contacts/contact-timeline'
import { importRowsApi } from '@parley/contracts/contacts/import-rows'
import { importsApi } from '@parley/contracts/contacts/imports'
import { segmentsApi } from '@parley/contracts/contacts/segments'
import { tagsApi } from '@parley/contracts/contacts/tags'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import { assignmentApi } from '@parley/contracts/inbox/assignment'
import { availabilityApi } from '@parley/contracts/inbox/availability'
import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { inboxSummaryApi } from '@parley/contracts/inbox/inbox-summary'
import { macrosApi } from '@parley/contracts/inbox/macros'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { messageRetentionApi } from '@parley/contracts/inbox/message-retention'
import { openingHoursApi } from '@parley/contracts/inbox/opening-hours'
import { ratingApi } from '@parley/contracts/inbox/ratings'
import { readReceiptsApi } from '@parley/contracts/inbox/read-receipts'
import { repliesApi } from '@parley/contracts/inbox/replies'
import { responseTargetApi } from '@parley/contracts/inbox/response-target'
import { viewsApi } from '@parley/contracts/inbox/views'
import { visibilityApi, visibilityInternalApi } from '@parley/contracts/inbox/visibility'
import { analyticsApi } from '@parley/contracts/platform/analytics'
import { approvalsApi } from '@parley/contracts/platform/approvals'
import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { eventFeedApi } from '@parley/contracts/platform/event-feed'
import { eventsApi } from '@parley/contracts/platform/event-stream'
import { figureRowsApi } from '@parley/contracts/platform/figure-rows'
import { notificationsApi } from '@parley/contracts/platform/notifications'
import { publicMessagesApi } from '@parley/contracts/platform/public-api'
import { sampleDataApi } from '@parley/contracts/platform/sample-data'
import { inboxApi } from '@parley/contracts/platform/service-messages'
import { teamReportApi } from '@parley/contracts/platform/team-report'
import { webhooksApi } from '@parley/contracts/platform/webhook-endpoints'
import { formsApi } from '@parley/contracts/templates/forms'
import { templateCheckApi } from '@parley/contracts/templates/template-checks'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { templateVersionsApi } from '@parley/contracts/templates/template-versions'
import { planLimitsApi } from '@parley/contracts/usage/plan-limits'
import { rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { billingApi, usageApi } from '@parley/contracts/usage/usage'
import type { ProcessName } from './processes.ts'

/** Endpoints that each process answers. An endpoint that is not listed here does not exist for the outside. */
export const endpointsOf: Readonly<Partial<Record<ProcessName, readonly Endpoint[]>>> = {
  bff: [...Object.values(authApi), keyCallsApi.list],
  profile: [
    ...Object.values(profileApi),
    ...Object.values(profileInternalApi),
    ...Object.values(membersApi),
    ...Object.values(invitationsApi),
    ...Object.values(workspaceApi),
    ...Object.values(workspaceDeletionApi),
    ...Object.values(workspaceErasureApi),
    ...Object.values(apiKeysApi),
    ...Object.values(keysInternalApi),
    ...Object.values(auditApi),
    ...Object.values(auditRetentionApi),
    ...Object.values(auditInternalApi),
    workspaceExportInternalApi.profileRecords,
  ],
  identity: Object.values(identityApi),
  messaging: [
    ...Object.values(contactsApi),
    ...Object.values(tagsApi),
    ...Object.values(consentApi),
    ...Object.values(contactJobsApi),
    ...Object.values(workspaceExportApi),
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
    ...Object.values(publicMessagesApi),
    ...Object.values(repliesApi),
    ...Object.values(macrosApi),
    ...Object.values(assignmentApi),
    ...Object.values(availabilityApi),
    ...Object.values(openingHoursApi),
    ...Object.values(messageRetentionApi),
    ...Object.values(responseTargetApi),
    ...Object.values(ratingApi),
    ...Object.values(readReceiptsApi),
    ...Object.values(visibilityApi),
    visibilityInternalApi.visible,
    ...Object.values(sendingHoursApi),
    ...Object.values(rateCardsApi),
    ...Object.values(usageApi),
    ...Object.values(billingApi),
    ...Object.values(dashboardApi),
    ...Object.values(analyticsApi),
    ...Object.values(figureRowsApi),
    ...Object.values(teamReportApi),
    eventsApi.stream,
    eventFeedApi.list,
    ...Object.values(webhooksApi),
    ...Object.values(numbersApi),
    ...Object.values(templateCheckApi),
    ...Object.values(templateVersionsApi),
    ...Object.values(templatesApi),
    ...Object.values(formsApi),
    ...Object.values(campaignsApi),
    ...Object.values(campaignDraftsApi),
    ...Object.values(approvalsApi),
    campaignCostApi.read,
    campaignTextApi.read,
    campaignTimelineApi.read,
    ...Object.values(campaignResultsApi),
    ...Object.values(recipientsApi),
    ...Object.values(notificationsApi),
    ...Object.values(settingsApi),
    ...Object.values(credentialsApi),
    ...Object.values(mediaApi),
    ...Object.values(messagingInternalApi),
    inboxApi.receive,
    planLimitsApi.read,
  ],
  automation: [
    ...Object.values(botsApi),
    ...Object.values(workflowsApi),
    ...Object.values(automationSettingsApi),
    ...Object.values(runsApi),
    ...Object.values(flowJobsApi),
    ...Object.values(dryRunsApi),
    ...Object.values(connectionsApi),
    ...Object.values(hooksApi),
    workspaceExportInternalApi.automationRecords,
  ],
}

import { campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { audienceSchema, campaignDraftSchema, draftFieldsSchema } from '@parley/contracts/campaigns/campaign-fields'
import { recipientSchema } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignSchema } from '@parley/contracts/campaigns/campaigns'
import { numberSchema } from '@parley/contracts/channel/numbers'
import { contactConditionsSchema } from '@parley/contracts/contacts/contact-fields'
import { contactSchema, newContactSchema } from '@parley/contracts/contacts/contacts'
import { type Endpoint, isForKeys } from '@parley/contracts/core/endpoint'
import { conversationSchema } from '@parley/contracts/inbox/conversations'
import { messageSchema, outgoingContentSchema } from '@parley/contracts/inbox/messages'
import { jobSchema } from '@parley/contracts/platform/jobs'
import { meApi } from '@parley/contracts/platform/public-api'
import { publicEventParts, publicEventSchemas } from '@parley/contracts/platform/public-events'
import {
  deliveryDetailSchema,
  newWebhookSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookWithKeySchema,
} from '@parley/contracts/platform/webhooks'
import { templateContentSchema, templateSchema } from '@parley/contracts/templates/templates'
import { endpointsOf } from '@parley/processes/endpoints'
import { describePublicApi } from '@parley/service-kit/core/openapi'

/** Endpoints of the public API. */
export const publicEndpoints: readonly Endpoint[] = [
  meApi.read,
  ...Object.values(endpointsOf).flatMap((endpoints) => (endpoints ?? []).filter(isForKeys)),
]

/** Records that stand in several places. */
const names = {
  answers: {
    Contact: contactSchema,
    ContactConditions: contactConditionsSchema,
    Conversation: conversationSchema,
    Message: messageSchema,
    Template: templateSchema,
    TemplateContent: templateContentSchema,
    Campaign: campaignSchema,
    CampaignDraft: campaignDraftSchema,
    CampaignReview: campaignReviewSchema,
    Audience: audienceSchema,
    Number: numberSchema,
    Webhook: webhookSchema,
    WebhookWithKey: webhookWithKeySchema,
    Recipient: recipientSchema,
    Delivery: webhookDeliverySchema,
    DeliveryDetail: deliveryDetailSchema,
    Job: jobSchema,
    ...publicEventParts,
  },
  requests: {
    NewContact: newContactSchema,
    ContactConditionsInput: contactConditionsSchema,
    OutgoingContent: outgoingContentSchema,
    DraftFields: draftFieldsSchema,
    AudienceInput: audienceSchema,
    NewWebhook: newWebhookSchema,
  },
}

/** Bodies of webhooks, by the kind of event. */
const events = Object.fromEntries(
  Object.entries(publicEventSchemas).map(([type, body]) => [type, { summary: `Sent to webhooks for ${type}.`, body }]),
)

/** The OpenAPI 3.1 document of the public API, from its declarations. The one beside this file is what is served. */
export const publicDocument = (): object =>
  describePublicApi(publicEndpoints, events, {
    names,
    title: 'Parley API',
    version: '1',
    description:
      'Make a key in Settings → API Keys and send it as `Authorization: Bearer ply_…`. Send an `Idempotency-Key` with what ' +
      'creates something: a repetition with the same key within 24 hours creates nothing more and gets the same answer. ' +
      'What is here stays: fields and endpoints are added only. `x-scope` names the scope that a key needs.',
  })

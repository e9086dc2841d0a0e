import { campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import { audienceSchema, campaignDraftSchema, draftFieldsSchema } from '@parley/contracts/campaigns/campaign-fields'
import { recipientSchema } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignSchema } from '@parley/contracts/campaigns/campaigns'
import { numberSchema } from '@parley/contracts/channel/numbers'
import { contactConditionsSchema } from '@parley/contracts/contacts/contact-fields'
import { contactSchema, newContactSchema } from '@parley/contracts/contacts/contacts'
import { type Endpoint, isForKeys } from '@parley/contracts/core/endpoint'
import { idempotencyKeyHeader } from '@parley/contracts/core/headers'
import { conversationSchema } from '@parley/contracts/inbox/conversations'
import { messageSchema } from '@parley/contracts/inbox/messages'
import { outgoingContentSchema } from '@parley/contracts/inbox/outgoing-content'
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
import { describePublicApi } from '@parley/service-kit/core/public-openapi'

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

const description = `Make a key in Settings → API Keys and send it as \`Authorization: Bearer ply_…\`. \`x-scope\` names the scope that a call needs.

**Once.** Send an \`Idempotency-Key\` with what creates or changes something: a repetition with the same key within 24 hours does nothing more
and gets the same answer, with \`Idempotent-Replayed: true\`. The same key with another input is \`422 idempotency_key_reused\`.

**Lists** answer \`items\` and \`nextCursor\`: send it as \`cursor\` for the next page, with the same filters.

**Limits.** A key may make 50 calls a second and 600 a minute, a workspace 1,200 a minute, unless \`RateLimit-Policy\` says otherwise. \`RateLimit\`
says what is left, and \`429 rate_limited\` says in \`Retry-After\` after how many seconds to come back.

**Errors** have a \`code\`, which stays, a \`message\` to read, a \`requestId\` to tell us, and \`fields\` where single fields are at fault. A field or
parameter that is not described here is refused.

**Webhooks** are signed as [Standard Webhooks](https://www.standardwebhooks.com) says: check each with a library of it and the webhook's
\`signingKey\`, over the body as it was received, and answer with 2xx within 15 seconds. Any other answer is tried again, eight times over a day;
410 ends the subscription, \`Retry-After\` is honoured up to an hour. An event may come more than once and, after a failure, late: \`webhook-id\` (the
event's \`id\`) is the same each time, and \`sequence\` tells the order.

**The feed** has every event of 30 days. Keep \`nextCursor\` once a page is worked on, and go on from it after a restart: nothing is missed.

**Times** are UTC in ISO 8601. What is here stays: fields, values and endpoints are added only, so ignore those that you do not know.`

const tags = [
  {
    name: 'events',
    description: 'The same events come by webhook and stand in the feed.',
  },
]

const idempotencyKey = {
  name: idempotencyKeyHeader,
  description:
    'Names this intent, 1 to 255 printable characters: a repetition with the same key is answered and not carried out again.',
}

const eventHeaders = [
  { name: 'webhook-id', required: true, description: 'Id of the event, the same for each attempt and replay.' },
  { name: 'webhook-timestamp', required: true, description: 'Time of this attempt, in seconds since 1970.' },
  {
    name: 'webhook-signature',
    required: true,
    description:
      'One or, during a rotation, two signatures (`v1,…`), separated by a space: one that is right is enough.',
  },
] as const

/** The OpenAPI 3.1 document of the public API, from its declarations. The one beside this file is what is served. */
export const publicDocument = (): object =>
  describePublicApi(publicEndpoints, events, {
    names,
    tags,
    idempotencyKey,
    eventHeaders,
    title: 'Parley API',
    version: '1',
    description,
  })

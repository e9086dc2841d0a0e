import type { ExportedCollection } from '@parley/service-kit/data/export-workspace'
import { z } from 'zod'

const made = ['createdAt', 'updatedAt']

/** Files of an export, in their order, and what they show of which collection. Everything that is not named stays. */
export const exportedFiles: Readonly<Record<string, readonly ExportedCollection[]>> = {
  contacts: [
    {
      collection: 'contacts',
      fields: [
        ...['name', 'phone', 'waUserId', 'username', 'former', 'tags', 'attributes', 'optIn', 'utilityConsent'],
        ...[
          'source',
          'addedBy',
          'importId',
          'importIds',
          'blocked',
          'lastContactAt',
          'lastMarketingAt',
          'live',
          'deletedAt',
        ],
        ...['merged.id', 'merged.at', 'sample', ...made],
      ],
      shown: ({ attributes, ...contact }) => ({ ...contact, fields: namedValues(attributes) }),
    },
  ],
  consent: [
    {
      collection: 'consentEntries',
      fields: ['contactId', 'category', 'value', 'source', 'note', 'memberId', 'at', 'recordedAt', 'takenBackAt'],
    },
  ],
  tags: [{ collection: 'tags', fields: ['name', 'colour', 'sample'] }],
  segments: [{ collection: 'segments', fields: ['name', 'filter'] }],
  views: [{ collection: 'views', fields: ['ownerId', 'screen', 'query', 'name'] }],
  'contact-fields': [{ collection: 'contactAttributes', fields: ['name', 'label', 'type', 'choices'] }],
  imports: [
    {
      collection: 'imports',
      fields: [
        ...['fileName', 'sizeBytes', 'format', 'state', 'purpose', 'country', 'tags', 'allAgreed', 'evidence'],
        ...['counts', 'startedBy', 'createdAt'],
      ],
    },
  ],
  conversations: [
    {
      collection: 'conversations',
      fields: [
        ...['numberId', 'contactId', 'status', 'owner', 'unreadCount', 'messageCount', 'firstMessageAt', 'openedAt'],
        ...['windowExpiresAt', 'waitingSince', 'snoozedUntil', 'snoozedBy', 'merged.id', 'sample', ...made],
      ],
    },
  ],
  messages: [
    {
      collection: 'messages',
      fields: [
        ...['conversationId', 'numberId', 'contactId', 'direction', 'content', 'status', 'statusAt', 'error'],
        ...['waMessageId', 'reactions', 'editedAt', 'deletedAt', 'forwarded', 'referral', 'productId', 'replyTo'],
        ...['cause', 'payment', 'pricing', 'mentions', 'sentAt', 'sample', 'createdAt'],
      ],
      // Messages that their author has deleted are shown nowhere else either.
      shown: ({ content, ...message }) => (message['deletedAt'] ? message : { ...message, content }),
    },
  ],
  media: [
    {
      collection: 'media',
      fields: ['type', 'sizeBytes', 'sha256', 'state', 'createdAt'],
      shown: ({ state, ...file }) => (state === 'stored' ? file : null),
    },
  ],
  'saved-replies': [
    { collection: 'savedReplies', fields: ['shortcut', 'text', 'file.mediaId', 'file.kind', 'file.fileName', ...made] },
  ],
  macros: [{ collection: 'macros', fields: ['name', 'actions', ...made] }],
  ratings: [
    { collection: 'ratings', fields: ['conversationId', 'contactId', 'by', 'askedAt', 'ratedAt', 'score', 'comment'] },
  ],
  'response-times': [
    {
      collection: 'answers',
      fields: [
        ...['numberId', 'conversationId', 'contactId', 'messageId', 'since', 'answeredAt', 'by', 'closedAt'],
        'openSeconds',
      ],
    },
  ],
  closures: [
    {
      collection: 'closures',
      fields: ['numberId', 'conversationId', 'contactId', 'closedAt', 'by', 'openSeconds'],
    },
  ],
  templates: [
    {
      collection: 'templates',
      fields: [
        ...['businessAccountId', 'waTemplateId', 'name', 'language', 'category', 'header', 'headerMedia'],
        ...[
          'authentication',
          'offer',
          'body',
          'footer',
          'buttons',
          'cards',
          'examples',
          'status',
          'rejectionReason',
          'quality',
        ],
        ...['contentVersion', 'submittedAt', 'removedAt', 'sample', ...made],
      ],
    },
  ],
  'template-versions': [
    {
      collection: 'templateVersions',
      fields: ['templateId', 'number', 'content', 'submittedBy', 'submittedAt', 'outcome', 'reason', 'decidedAt'],
    },
  ],
  campaigns: [
    {
      collection: 'campaigns',
      fields: [
        ...['name', 'audience', 'audienceName', 'numberId', 'templateId', 'template', 'variables', 'status'],
        'recipientFile',
        ...['pausedFor', 'schedule', 'scheduledFor', 'startedAt', 'completedAt', 'stoppedAt', 'expected', 'planned'],
        ...['launched', 'rowsRemoved', 'sample', ...made],
      ],
    },
  ],
  'campaign-results': [{ collection: 'campaignTotals', fields: ['campaignId', 'tallies', 'countedAt'] }],
  'campaign-recipients': [
    {
      collection: 'campaignRecipients',
      fields: [
        'campaignId',
        'contactId',
        'n',
        'to',
        'values',
        'file',
        'state',
        'reason',
        'clicked',
        'clickedAt',
        'replied',
      ],
    },
  ],
  'campaign-history': [{ collection: 'campaignEvents', fields: ['campaignId', 'at', 'memberId', 'told'] }],
  'link-visits': [
    { collection: 'linkClicks', fields: ['campaignId', 'messageId', 'index', 'count', 'firstAt', 'lastAt'] },
  ],
  approvals: [
    {
      collection: 'approvals',
      fields: [
        ...['campaignId', 'campaignName', 'subject', 'asked', 'state', 'changed', 'askedBy', 'askedAt', 'note'],
        ...['decidedBy', 'decidedAt', 'reason'],
      ],
    },
  ],
  numbers: [
    {
      collection: 'numbers',
      fields: [
        ...['displayName', 'phoneNumber', 'phoneNumberId', 'businessAccountId', 'connected', 'removedAt', 'status'],
        ...['quality', 'nameStatus', 'verificationStatus', 'messagingLimit', 'isDefault', 'sample', ...made],
      ],
    },
  ],
  webhooks: [
    {
      collection: 'webhooks',
      fields: ['name', 'url', 'events', 'status', 'totalCalls', 'okCalls', 'lastTriggeredAt', 'sample', ...made],
      // Paths carry secrets now and then.
      shown: (webhook) => ({ ...webhook, url: new URL(urlSchema.parse(webhook).url).origin }),
    },
  ],
  charges: [
    {
      collection: 'usage',
      fields: ['kind', 'messageId', 'category', 'billable', 'at', 'country', 'campaignId'],
    },
  ],
  'rate-cards': [{ collection: 'rateCards', fields: ['effectiveFrom', 'currency', 'source', 'rates', 'createdAt'] }],
  settings: [
    setting('plan', 'workspacePlans', ['plan', 'source', 'at']),
    setting('opening hours', 'openingHours', ['timeZone', 'spans', 'closedOn', 'awayAnswer']),
    setting('message retention', 'messageRetention', ['months', 'next']),
    setting('response target', 'responseTargets', ['firstMinutes', 'nextMinutes']),
    setting('sending hours', 'sendingHours', ['limited', 'zone', 'opens', 'closes']),
    setting('rating', 'ratingSettings', ['enabled', 'question']),
    setting('read receipts', 'readReceipts', ['read', 'typing']),
    setting('visibility', 'visibility', ['agentSees']),
    setting('assignment', 'assignments', ['mode', 'members', 'limit', 'limits']),
    setting('approvals', 'approvalRules', [
      ...['campaignRecipients', 'campaignCost', 'exportedContacts', 'deletedContacts', 'numberRemoval'],
    ]),
    setting('consent', 'consentSettings', [
      ...['stop', 'stopAll', 'start', 'ignored', 'stopAnswer', 'startAnswer', 'needsOptIn', 'recentDays'],
    ]),
  ],
}

const urlSchema = z.object({ url: z.url() })
const attributesSchema = z.array(z.object({ k: z.string(), v: z.string() }))

const namedValues = (attributes: unknown) =>
  Object.fromEntries(attributesSchema.parse(attributes ?? []).map(({ k, v }) => [k, v]))

/** A setting is one record of a workspace: all of them are in one file, by their names. */
function setting(name: string, collection: string, fields: readonly string[]): ExportedCollection {
  return { collection, fields, shown: ({ id: _id, ...values }) => ({ setting: name, ...values }) }
}

/**
 * Keys of the query cache. Screens share records, so a screen that changes some invalidates the keys of the others by
 * these names; no file writes a key of its own.
 */
const recordKeys = (domain: string) => {
  const lists = [domain, 'list'] as const
  return {
    /** Prefix of everything that is read of the domain. */
    all: [domain] as const,
    lists,
    list: <Q>(query: Q) => [...lists, query] as const,
    one: (id: string) => [domain, 'one', id] as const,
    ones: [domain, 'one'] as const,
    summary: [domain, 'summary'] as const,
  }
}

export const apiKeyKeys = {
  ...recordKeys('api-keys'),
  calls: (id: string) => ['api-keys', 'calls', id] as const,
}

export const connectionKeys = {
  ...recordKeys('connections'),
  test: (connectionId: string, id: string) => ['connections', 'test', connectionId, id] as const,
}

export const hookKeys = {
  of: (workflowId: string) => ['hooks', workflowId] as const,
  calls: (workflowId: string, nodeId: string) => ['hooks', workflowId, 'calls', nodeId] as const,
}

export const auditKeys = { ...recordKeys('audit'), retention: ['audit', 'retention'] as const }

/** Results of the command menu. */
export const foundKeys = { of: (domain: string, q: string) => ['found', domain, q] as const }

export const contactKeys = {
  ...recordKeys('contacts'),
  segments: ['contacts', 'segments'] as const,
  matches: <F>(filter: F) => ['contacts', 'matches', filter] as const,
  deleted: (contactId: string) => ['contacts', 'deleted', contactId] as const,
  conversations: (contactId: string) => ['contacts', 'conversations', contactId] as const,
  campaigns: (contactId: string) => ['contacts', 'campaigns', contactId] as const,
  merged: (contactId: string) => ['contacts', 'merged', contactId] as const,
  suggestedMerges: ['contacts', 'suggested-merges'] as const,
  duplicates: (contactId: string) => ['contacts', 'duplicates', contactId] as const,
  consent: (contactId: string) => ['contacts', 'consent', contactId] as const,
  marketing: (contactId: string) => ['contacts', 'marketing', contactId] as const,
  timelines: ['contacts', 'timeline'] as const,
  timeline: (contactId: string) => ['contacts', 'timeline', contactId] as const,
}

export const importKeys = {
  ...recordKeys('imports'),
  choices: ['imports', 'choices'] as const,
  allRows: (id: string) => ['imports', 'rows', id] as const,
  rows: <W>(id: string, which: W) => ['imports', 'rows', id, which] as const,
}

/** Keys of work over many contacts, and of exports of conversations. */
export const contactJobKeys = {
  all: ['contact-jobs'] as const,
  list: ['contact-jobs', 'list'] as const,
  ofConversation: (id: string) => ['contact-jobs', 'conversation', id] as const,
}

export const conversationKeys = {
  ...recordKeys('conversations'),
  messages: (id: string) => ['conversations', 'messages', id] as const,
  /** The page of a thread around one message, and what has been read from there. */
  messagesAround: (id: string, messageId: string) => ['conversations', 'messages', id, messageId] as const,
  search: (q: string, conversation?: string) => ['conversations', 'search', q, conversation ?? ''] as const,
  passport: (messageId: string) => ['conversations', 'passport', messageId] as const,
  history: (id: string) => ['conversations', 'history', id] as const,
  historyAt: (id: string, version: number) => ['conversations', 'history', id, version] as const,
  lives: ['conversations', 'live'] as const,
  /** Messages added since a thread was read, and those waiting to be sent in it. */
  live: (id: string) => ['conversations', 'live', id] as const,
}

export const campaignKeys = {
  ...recordKeys('campaigns'),
  audience: <Q>(question: Q) => ['campaigns', 'audience', question] as const,
  /** Key of a draft with all that its steps need; read again with the record itself. */
  draft: (id: string) => ['campaigns', 'one', id, 'draft'] as const,
  /** Read again with the record itself. */
  approval: (id: string) => ['campaigns', 'one', id, 'approval'] as const,
  reviews: (id: string) => ['campaigns', 'review', id] as const,
  review: (id: string, version: number) => ['campaigns', 'review', id, version] as const,
  text: (id: string, version: number) => ['campaigns', 'text', id, version] as const,
  charged: (id: string) => ['campaigns', 'charged', id] as const,
  recipients: <Q>(id: string, query: Q) => ['campaigns', 'recipients', id, query] as const,
  failures: (id: string) => ['campaigns', 'failures', id] as const,
  explanation: (id: string, contactId: string) => ['campaigns', 'explanation', id, contactId] as const,
  timelines: ['campaigns', 'timeline'] as const,
  timeline: (id: string) => ['campaigns', 'timeline', id] as const,
}

export const templateKeys = {
  ...recordKeys('templates'),
  sync: ['templates', 'sync'] as const,
  tracking: ['templates', 'tracking'] as const,
  uses: (id: string) => ['templates', 'uses', id] as const,
  versions: (id: string) => ['templates', 'versions', id] as const,
  usage: <W>(id: string, written: W) => ['templates', 'usage', id, written] as const,
  lint: <W>(written: W) => ['templates', 'lint', written] as const,
}
/** Keys of bots, or workflows. */
const flowKeys = <const K extends string>(kind: K) => ({
  ...recordKeys(kind),
  /** Key of a flow with its draft. */
  record: (id: string) => [kind, 'record', id] as const,
  check: (id: string, number?: number) => [kind, 'check', id, number ?? 0] as const,
  versions: (id: string) => [kind, 'versions', id] as const,
  versionPage: (id: string, cursor: string | undefined) => [kind, 'versions', id, cursor ?? ''] as const,
  version: (id: string, number: number) => [kind, 'version', id, number] as const,
  tests: (id: string) => [kind, 'tests', id] as const,
  replay: <B>(id: string, body: B) => [kind, 'replay', id, body] as const,
  allRuns: [kind, 'runs'] as const,
  runs: <Q>(id: string, query: Q) => [kind, 'runs', id, query] as const,
  counts: <Q>(id: string, query: Q) => [kind, 'runs', id, 'counts', query] as const,
  run: (id: string) => [kind, 'run', id] as const,
  jobs: (id: string) => [kind, 'jobs', id] as const,
  dryRuns: (id: string) => [kind, 'dry-runs', id] as const,
  attention: [kind, 'attention'] as const,
  attentionPage: (cursor: string | undefined) => [kind, 'attention', cursor ?? ''] as const,
})
export type FlowKeys = ReturnType<typeof flowKeys>
export const botKeys = { ...flowKeys('bots'), settings: ['bots', 'settings'] as const }
export const workflowKeys = flowKeys('workflows')
const ofFlow: ReadonlySet<unknown> = new Set(['record', 'check', 'versions', 'version', 'settings'])
/** Returns whether a key of bots or workflows is of a flow itself, its versions and checks, which its runs do not change. */
export const isOfFlow = (queryKey: readonly unknown[]): boolean => ofFlow.has(queryKey[1])
export const numberKeys = {
  ...recordKeys('numbers'),
  events: (id: string) => ['numbers', 'events', id] as const,
}
export const webhookKeys = {
  ...recordKeys('webhooks'),
  deliveries: <F>(id: string, filter: F) => ['webhooks', 'deliveries', id, filter] as const,
  delivery: (id: string, deliveryId: string) => ['webhooks', 'delivery', id, deliveryId] as const,
  replay: (id: string, jobId: string) => ['webhooks', 'replay', id, jobId] as const,
}
export const replyKeys = recordKeys('replies')
export type RecordKeys = ReturnType<typeof recordKeys>

export const analyticsKeys = {
  all: ['analytics'] as const,
  read: <Q>(query: Q) => ['analytics', 'figures', query] as const,
  rows: <Q>(query: Q) => ['analytics', 'rows', query] as const,
  team: <Q>(query: Q) => ['analytics', 'team', query] as const,
}
export const dashboardKeys = { all: ['dashboard'] as const }
export const notificationKeys = { all: ['notifications'] as const }
export const sampleDataKeys = { all: ['sample-data'] as const }
export const teamKeys = {
  all: ['team'] as const,
  members: ['team', 'members'] as const,
  invitations: ['team', 'invitations'] as const,
}
export const workspaceKeys = {
  all: ['workspace'] as const,
  own: ['workspace', 'own'] as const,
  list: ['workspace', 'list'] as const,
  invitations: ['workspace', 'invitations'] as const,
}
export const settingsKeys = { all: ['settings'] as const }
export const consentKeys = { settings: ['consent', 'settings'] as const }
export const availabilityKeys = { all: ['availability'] as const }
export const assignmentKeys = { all: ['assignment'] as const }
export const rateCardKeys = { all: ['rate-cards'] as const }
export const usageKeys = {
  all: ['usage'] as const,
  read: <Q>(query: Q) => ['usage', query] as const,
  days: ['usage', 'days'] as const,
  periods: ['usage', 'periods'] as const,
}
/** Requests follow the notifications that tell of them, and drafts; events read both again. */
export const approvalKeys = { rules: ['approval-rules'] as const, waiting: ['notifications', 'approvals'] as const }
export const workspaceExportKeys = { all: ['workspace-exports'] as const }
export const ratingKeys = { all: ['rating'] as const }
export const readReceiptKeys = { all: ['read-receipts'] as const }
export const openingHoursKeys = { all: ['opening-hours'] as const }
export const visibilityKeys = { all: ['visibility'] as const }
export const messageRetentionKeys = {
  all: ['message-retention'] as const,
  preview: (months: number) => ['message-retention', 'preview', months] as const,
}
export const responseTargetKeys = { all: ['response-target'] as const }
export const sendingHoursKeys = { all: ['sending-hours'] as const }
export const credentialKeys = { all: ['credentials'] as const }
export const sessionKeys = { all: ['/auth/sessions'] as const }

/** The default query function reads the path from this key. */
export const userKey = ['/api/auth/user'] as const

/** Keys of pickers' choices; apart from the screens' own reads, for they go stale by themselves. */
export const choiceKeys = {
  all: ['choices'] as const,
  connections: ['choices', 'connections'] as const,
  macros: ['choices', 'macros'] as const,
  forms: ['choices', 'forms'] as const,
  bots: ['choices', 'bots'] as const,
  campaigns: ['choices', 'campaigns'] as const,
  members: ['choices', 'members'] as const,
  templates: ['choices', 'templates'] as const,
  numbers: ['choices', 'numbers'] as const,
  tags: ['choices', 'tags'] as const,
  segments: ['choices', 'segments'] as const,
  workflows: ['choices', 'workflows'] as const,
  attributes: ['choices', 'attributes'] as const,
  allViews: ['choices', 'views'] as const,
  views: (screen: string) => ['choices', 'views', screen] as const,
  contacts: (q: string) => ['choices', 'contacts', q] as const,
  reached: <A>(audience: A) => ['choices', 'reached', audience] as const,
}

import type { AuditEntry } from '@parley/contracts/account/audit'

/** Kinds of records, by the first part of operations, in the order of the filter. */
export const resourceLabels: Readonly<Record<string, string>> = {
  contacts: 'contact',
  contactJobs: 'contacts at once',
  imports: 'import',
  consent: 'consent',
  segments: 'segment',
  contactAttributes: 'contact field',
  templates: 'template',
  campaigns: 'campaign',
  jobs: 'task',
  bots: 'bot',
  workflows: 'workflow',
  automation: 'settings of automation',
  runs: 'session of a bot',
  numbers: 'number',
  credentials: 'API credentials',
  webhooks: 'webhook',
  apiKeys: 'API key',
  members: 'member',
  invitations: 'invitation',
  workspace: 'workspace',
  billing: 'plan',
  replies: 'saved reply',
  macros: 'macro',
  profile: 'own profile',
  auth: 'sign-in',
  audit: 'audit log',
  auditRetention: 'retention of the audit log',
  messageRetention: 'how long messages are kept',
  visibility: 'what agents see',
  approvals: 'approval',
  approvalRules: 'rule for approvals',
}

const sentences: Readonly<Record<string, string>> = {
  'contacts.mergeMany': 'Merged pairs of contacts',
  'jobs.end': 'A task that they had started ended',
  'auth.signIn': 'Signed in',
  'auth.signInFailed': 'Failed to sign in',
  'auth.signOut': 'Signed out',
  'auth.endSessions': 'Ended other sessions',
  'auth.changePassword': 'Changed their password',
  'profile.update': 'Changed their profile',
  'numbers.simulate': 'Connected a simulated number',
  'members.remove': 'Removed a member',
  'members.leave': 'Left the workspace',
  'members.change': 'Changed the role of a member',
  'members.transfer': 'Transferred the workspace',
  'invitations.create': 'Invited somebody',
  'invitations.accept': 'Accepted an invitation',
  'invitations.decline': 'Declined an invitation',
  'audit.download': 'Exported the audit log',
  'auditRetention.update': 'Changed how long entries are kept',
  'workspace.create': 'Created another workspace',
  'workspace.delete': 'Began to delete the workspace',
  'workspace.eraseNow': 'Had the workspace erased at once',
  'workspace.restore': 'Restored the workspace',
  'messageRetention.update': 'Changed how long messages are kept',
  'visibility.update': 'Changed what agents see',
  'approvalRules.update': 'Changed what needs an approval',
  'approvals.ask': 'Asked for the approval of a campaign',
  'approvals.askFor': 'Asked for an approval',
  'approvals.decide': 'Decided on a request for an approval',
  'campaigns.change': 'Changed the state of a campaign',
  'contactJobs.export': 'Exported contacts',
  'contactJobs.exportPerson': 'Exported the data of a contact',
  'contactJobs.exportChat': 'Exported a conversation',
  'workspaceExports.begin': 'Started an export of the workspace',
  'workspaceExports.cancel': 'Stopped an export of the workspace',
  'workspaceExports.remove': 'Deleted the file of an export',
  'workspaceExports.download': 'Downloaded an export of the workspace',
  'contactJobs.change': 'Changed contacts at once',
  'contactJobs.erase': 'Erased a contact',
  'contactJobs.renameTag': 'Renamed a tag',
  'sampleData.load': 'Loaded the sample data',
  'sampleData.clear': 'Cleared the sample data',
}

const verbs: Readonly<Record<string, string>> = {
  create: 'Created',
  connect: 'Connected',
  update: 'Changed',
  save: 'Changed',
  change: 'Changed',
  remove: 'Deleted',
  revoke: 'Revoked',
  rotate: 'Replaced',
  rotateSecret: 'Replaced the secret of',
  launch: 'Launched',
  startReview: 'Reviewed',
  publish: 'Published',
  pause: 'Paused',
  start: 'Started',
  restore: 'Restored',
  duplicate: 'Duplicated',
  resend: 'Sent again',
  download: 'Downloaded',
  merge: 'Merged',
  undoMerge: 'Parted again',
  enable: 'Enabled',
  test: 'Tested',
  cancel: 'Cancelled',
}

/** `sendingHours` is "sending hours". */
const inWords = (name: string): string => name.replace(/([A-Z])/g, ' $1').toLowerCase()

/** Returns what was done, as the beginning of a sentence: `Deleted a webhook`. */
export function actionText(action: string): string {
  const known = sentences[action]
  if (known) return known
  const [resource = '', operation = ''] = action.split('.')
  const noun = resourceLabels[resource] ?? inWords(resource)
  const verb = verbs[operation]
  // A call without a verb here is named by both of its words.
  return verb ? `${verb} ${articleOf(noun)}${noun}` : `${capital(noun)}: ${inWords(operation)}`
}

/** Nouns of which a workspace has one, or that are many. */
const definite = new Set(['workspace', 'plan', 'own profile', 'audit log', 'contacts at once'])
const articleOf = (noun: string): string => {
  if (noun === 'consent') return ''
  if (noun.endsWith('s') || definite.has(noun)) return 'the '
  return /^(?:[aeiou]|API)/.test(noun) ? 'an ' : 'a '
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Returns who did it: a member by name, a key by its id. */
export const actorText = ({ actor: { kind, id, name } }: AuditEntry): string =>
  kind === 'key' ? `API key ${id}` : (name ?? 'A former member')

const valueText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))

/** Returns one changed field in words: `role: agent → viewer`, or its name alone where values are not kept. */
export const changeText = ({ field, from, to }: AuditEntry['changes'][number]): string => {
  const name = inWords(field)
  if (to === undefined) return name
  return from === undefined ? `${name}: ${valueText(to)}` : `${name}: ${valueText(from)} → ${valueText(to)}`
}

export const outcomeLabels = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const

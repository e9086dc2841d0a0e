import { type KeyScope, keyDays, keyScopes, type NewApiKey, newApiKeySchema } from '@parley/contracts/account/api-keys'
import { z } from 'zod'

/** The form of a key: networks are lines of a text. */
export const keyFormSchema = z.object({
  name: newApiKeySchema.shape.name,
  scopes: newApiKeySchema.shape.scopes,
  numbers: z.array(z.string()),
  networks: z.string().max(1000),
  expiresInDays: z.literal(keyDays),
})
export type KeyForm = z.infer<typeof keyFormSchema>

export const emptyKey: KeyForm = { name: '', scopes: [], numbers: [], networks: '', expiresInDays: 365 }

export const keyOf = ({ networks, ...rest }: KeyForm): NewApiKey => ({
  ...rest,
  networks: networks.split(/[\s,]+/).filter((line) => line !== ''),
})

const resourceLabels: Readonly<Record<string, string>> = {
  conversations: 'Conversations and messages',
  contacts: 'Contacts',
  segments: 'Tags and segments',
  templates: 'Templates',
  campaigns: 'Campaigns',
  numbers: 'Numbers',
  webhooks: 'Webhooks',
  events: 'Event log',
  analytics: 'Analytics',
  workspace: 'Plan and usage',
}
const actionLabels: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Change',
  assign: 'Assign',
  export: 'Export',
  send: 'Launch and stop',
  secret: 'See secrets',
  replay: 'Replay',
}
const partsOf = (scope: string): [resource: string, action: string] => {
  const [resource = '', action = ''] = scope.split(':')
  return [resource, action]
}

export const actionLabel = (scope: string): string => actionLabels[partsOf(scope)[1]] ?? scope
export const scopeLabel = (scope: string): string =>
  `${resourceLabels[partsOf(scope)[0]] ?? scope}: ${actionLabel(scope).toLowerCase()}`

/** Scopes by what they are about, in the order of the list. */
export const scopeGroups: readonly { readonly label: string; readonly scopes: readonly KeyScope[] }[] = [
  ...Map.groupBy(keyScopes, (scope) => partsOf(scope)[0]),
].map(([resource, scopes]) => ({ label: resourceLabels[resource] ?? resource, scopes }))

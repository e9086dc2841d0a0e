import {
  type ApiKey,
  type ApiKeyChange,
  type KeyScope,
  keyDays,
  keyScopes,
  type NewApiKey,
  newApiKeySchema,
} from '@parley/contracts/account/api-keys'
import { z } from 'zod'

/** The form of a key: networks are lines of a text. */
export const keyFormSchema = z.object({
  name: newApiKeySchema.shape.name,
  scopes: newApiKeySchema.shape.scopes,
  numbers: z.array(z.string()),
  networks: z.string().max(1000),
  /** `keep` leaves the end of a key as it is. */
  validFor: z.literal([...keyDays, 'never', 'keep']),
})
export type KeyForm = z.infer<typeof keyFormSchema>

export const emptyKey: KeyForm = { name: '', scopes: [], numbers: [], networks: '', validFor: 365 }

/** A key in the form, its end as it is. Scopes that no endpoint needs any more cannot be chosen, and go with the next save. */
export const formOf = ({ name, scopes, numbers, networks }: ApiKey): KeyForm => ({
  name,
  scopes: keyScopes.filter((scope) => scopes.includes(scope)),
  numbers: [...numbers],
  networks: networks.join('\n'),
  validFor: 'keep',
})

const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter((line) => line !== '')
const daysOf = (validFor: Exclude<KeyForm['validFor'], 'keep'>) => (validFor === 'never' ? null : validFor)

export const keyOf = ({ networks, validFor, ...rest }: KeyForm): NewApiKey => ({
  ...rest,
  networks: linesOf(networks),
  expiresInDays: validFor === 'keep' ? 365 : daysOf(validFor),
})

export const changeOf = ({ networks, validFor, ...rest }: KeyForm): Omit<ApiKeyChange, 'version'> => ({
  ...rest,
  networks: linesOf(networks),
  ...(validFor !== 'keep' && { expiresInDays: daysOf(validFor) }),
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

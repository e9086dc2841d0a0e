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

type Part<S extends string, N extends 0 | 1> = S extends `${infer R}:${infer A}` ? [R, A][N] : never
type Resource = Part<KeyScope, 0>
type Action = Part<KeyScope, 1>

const resourceLabels: Readonly<Record<Resource, string>> = {
  conversations: 'Conversations and messages',
  contacts: 'Contacts',
  segments: 'Tags and segments',
  templates: 'Templates',
  campaigns: 'Campaigns',
  numbers: 'Numbers',
  webhooks: 'Webhooks',
  events: 'Event log',
  analytics: 'Analytics',
  audit: 'Audit log',
  workspace: 'Plan and usage',
}
const actionLabels: Readonly<Record<Action, string>> = {
  read: 'Read',
  write: 'Change',
  assign: 'Assign',
  export: 'Export',
  send: 'Launch and stop',
  secret: 'See secrets',
  replay: 'Replay',
}
const labelIn = (labels: Readonly<Record<string, string>>, part: string | undefined): string =>
  labels[part ?? ''] ?? part ?? ''

export const actionLabel = (scope: string): string => labelIn(actionLabels, scope.split(':')[1])
const resourceLabel = (scope: string): string => labelIn(resourceLabels, scope.split(':')[0])
export const scopeLabel = (scope: string): string => `${resourceLabel(scope)}: ${actionLabel(scope).toLowerCase()}`

/** Scopes by what they are about, in the order of the list. */
export const scopeGroups: readonly { readonly label: string; readonly scopes: readonly KeyScope[] }[] = [
  ...Map.groupBy(keyScopes, resourceLabel),
].map(([label, scopes]) => ({ label, scopes }))

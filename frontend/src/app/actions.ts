import { paths } from './paths.ts'

/** Actions that a person often starts, from any screen. Each opens by its address alone. */
export const actions = [
  { label: 'New Conversation', to: `${paths.conversations}?new=1` },
  { label: 'New Broadcast', to: `${paths.campaigns}?new=1` },
  { label: 'Add Contact', to: `${paths.contacts}?new=1` },
  { label: 'Contact fields', to: paths.contactFields },
  { label: 'Contact tags', to: `${paths.contactFields}?tab=tags` },
  { label: 'Import contacts', to: `${paths.contacts}?import=1` },
  { label: 'Create Template', to: `${paths.templates}?new=1` },
  { label: 'Create Bot', to: `${paths.bots}?new=1` },
  { label: 'Create Workflow', to: `${paths.workflows}?new=1` },
  { label: 'Add New Number', to: `${paths.numbers}?new=1` },
  { label: 'Create New Webhook', to: `${paths.webhooks}?new=1` },
] as const

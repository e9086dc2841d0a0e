import type { DraftFlow } from '@parley/contracts/automation/flow'
import { drawFlow } from './draw-flow.ts'

const newContact = drawFlow([
  {
    id: 'start',
    label: 'Contact created',
    at: [0, 0],
    settings: { kind: 'event', event: 'contact.created' },
    to: { next: 'hello' },
  },
  {
    id: 'hello',
    label: 'Welcome message',
    at: [0, 1],
    settings: { kind: 'send_text', text: 'Welcome, {{first_name}}! Reply TEA to see what is fresh this week.' },
    to: { next: 'tag' },
  },
  { id: 'tag', label: 'Tag as lead', at: [0, 2], settings: { kind: 'add_tag', tag: 'lead' } },
])

const vip = drawFlow([
  {
    id: 'start',
    label: 'Tagged vip',
    at: [0, 0],
    settings: {
      kind: 'event',
      event: 'contact.tag_added',
      filter: { match: 'all', conditions: [{ field: 'event.tag', comparison: 'equals', value: 'vip' }] },
    },
    to: { next: 'thanks' },
  },
  {
    id: 'thanks',
    label: 'Thank',
    at: [0, 1],
    settings: {
      kind: 'send_text',
      text: 'Thank you for your loyalty, {{first_name}}. You now order before everybody else.',
    },
    to: { next: 'assign' },
  },
  { id: 'assign', label: 'Personal contact', at: [0, 2], settings: { kind: 'assign', to: { kind: 'queue' } } },
])

const feedback = drawFlow([
  {
    id: 'start',
    label: 'Conversation closed',
    at: [0, 0],
    settings: { kind: 'event', event: 'conversation.closed' },
    to: { next: 'pause' },
  },
  {
    id: 'pause',
    label: 'Wait two hours',
    at: [0, 1],
    settings: { kind: 'wait_time', seconds: 7_200 },
    to: { next: 'ask' },
  },
  {
    id: 'ask',
    label: 'Ask',
    at: [0, 2],
    settings: {
      kind: 'buttons',
      text: 'Did we solve your question, {{first_name}}?',
      choices: [
        { id: 'solved', title: 'Yes, thank you' },
        { id: 'unsolved', title: 'Not yet' },
      ],
    },
    to: { solved: 'note', unsolved: 'assign' },
  },
  {
    id: 'note',
    label: 'Note it',
    at: [0, 3],
    settings: { kind: 'set_attribute', attribute: 'satisfied', value: 'yes' },
  },
  { id: 'assign', label: 'Hand over', at: [1, 3], settings: { kind: 'assign', to: { kind: 'queue' } } },
])

const replies = drawFlow([
  {
    id: 'start',
    label: 'Campaign reply',
    at: [0, 0],
    settings: { kind: 'event', event: 'campaign.replied' },
    to: { next: 'tag' },
  },
  { id: 'tag', label: 'Tag as lead', at: [0, 1], settings: { kind: 'add_tag', tag: 'lead' }, to: { next: 'assign' } },
  { id: 'assign', label: 'To sales', at: [0, 2], settings: { kind: 'assign', to: { kind: 'queue' } } },
])

const quiet = drawFlow([
  {
    id: 'start',
    label: 'Conversation opened',
    at: [0, 0],
    settings: { kind: 'event', event: 'conversation.opened' },
    to: { next: 'wait' },
  },
  {
    id: 'wait',
    label: 'Wait a day for a reply',
    at: [0, 1],
    settings: { kind: 'wait_reply', timeoutSeconds: 86_400 },
    to: { timeout: 'remind' },
  },
  {
    id: 'remind',
    label: 'Remind',
    at: [0, 2],
    settings: { kind: 'send_text', text: 'Are you still there, {{first_name}}? We are glad to help.' },
  },
])

/** One flow a workflow, in the order of the workflows. */
export const workflowFlows: readonly DraftFlow[] = [newContact, vip, feedback, replies, quiet]

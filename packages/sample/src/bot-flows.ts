import type { DraftFlow, NodeSettings } from '@parley/contracts/automation/flow'
import { drawFlow } from './draw-flow.ts'
import { business } from './facts.ts'

const hours = (): NodeSettings => ({
  kind: 'business_hours',
  hours: {
    use: 'own',
    timeZone: business.timeZone,
    spans: [1, 2, 3, 4, 5, 6].map((day) => ({ day, from: '09:00', to: '19:00' })),
    closedOn: [],
  },
})

/** The sample flow: a keyword match, then send message, then a business-hours check. */
const orderStatus = drawFlow([
  {
    id: 'keyword',
    label: 'Keyword match',
    at: [0, 0],
    settings: { kind: 'keyword', keywords: ['order', 'status', 'tracking'], match: 'word' },
    to: { next: 'message' },
  },
  {
    id: 'message',
    label: 'Send message',
    at: [0, 1],
    settings: {
      kind: 'send_text',
      text: 'Hi {{first_name|there}}! Your order is on its way. You get a tracking link as soon as the courier has it.',
    },
    to: { next: 'hours' },
  },
  { id: 'hours', label: 'Business hours', at: [0, 2], settings: hours() },
])

const welcome = drawFlow([
  { id: 'start', label: 'Any message', at: [1, 0], settings: { kind: 'any_message' }, to: { next: 'menu' } },
  {
    id: 'menu',
    label: 'Menu',
    at: [1, 1],
    settings: {
      kind: 'buttons',
      text: `Welcome to ${business.name}, {{first_name}}! What can we do for you?`,
      choices: [
        { id: 'shop', title: 'See our teas' },
        { id: 'order', title: 'My order' },
        { id: 'person', title: 'Talk to us' },
      ],
    },
    to: { shop: 'teas', order: 'orders', person: 'hours' },
  },
  {
    id: 'teas',
    label: 'Our teas',
    at: [0, 2],
    settings: { kind: 'send_text', text: 'Assam, Darjeeling, Nilgiri and our masala blends: chaiandco.example/teas' },
    to: { next: 'lead' },
  },
  { id: 'lead', label: 'Tag as lead', at: [0, 3], settings: { kind: 'add_tag', tag: 'lead' } },
  { id: 'orders', label: 'Order status', at: [1, 2], settings: { kind: 'go_to_bot', botId: 'bot-1' } },
  { id: 'hours', label: 'Are we open?', at: [2, 2], settings: hours(), to: { yes: 'assign', no: 'closed' } },
  { id: 'assign', label: 'Hand over', at: [2, 3], settings: { kind: 'assign', to: { kind: 'queue' } } },
  {
    id: 'closed',
    label: 'Closed',
    at: [3, 3],
    settings: { kind: 'send_text', text: 'We are closed right now and answer from 9:00 tomorrow.' },
  },
])

const storeHours = drawFlow([
  {
    id: 'keyword',
    label: 'Opening hours',
    at: [0, 0],
    settings: { kind: 'keyword', keywords: ['open', 'hours', 'delivery'], match: 'word' },
    to: { next: 'hours' },
  },
  { id: 'hours', label: 'Are we open?', at: [0, 1], settings: hours(), to: { yes: 'open', no: 'closed' } },
  {
    id: 'open',
    label: 'Open',
    at: [0, 2],
    settings: { kind: 'send_text', text: 'We are open until 19:00. Delivery in Bengaluru takes two hours.' },
  },
  {
    id: 'closed',
    label: 'Closed',
    at: [1, 2],
    settings: { kind: 'send_text', text: 'We open at 9:00. Orders placed now leave first thing in the morning.' },
  },
])

const feedback = drawFlow([
  {
    id: 'keyword',
    label: 'Delivered',
    at: [0, 0],
    settings: { kind: 'keyword', keywords: ['delivered', 'arrived'], match: 'word' },
    to: { next: 'ask' },
  },
  {
    id: 'ask',
    label: 'Ask for a mark',
    at: [0, 1],
    settings: { kind: 'ask', text: 'How was your delivery, from 1 to 5?', attribute: 'rating' },
    to: { next: 'good' },
  },
  {
    id: 'good',
    label: 'Four or five?',
    at: [0, 2],
    settings: { kind: 'attribute', attribute: 'rating', comparison: 'greater_than', value: '3' },
    to: { yes: 'thanks', no: 'sorry' },
  },
  { id: 'thanks', label: 'Thank', at: [0, 3], settings: { kind: 'send_text', text: 'Thank you, {{first_name}}!' } },
  {
    id: 'sorry',
    label: 'Apologise',
    at: [1, 3],
    settings: { kind: 'ask', text: 'We are sorry. What went wrong?', attribute: 'complaint' },
    to: { next: 'assign' },
  },
  { id: 'assign', label: 'Hand over', at: [1, 4], settings: { kind: 'assign', to: { kind: 'queue' } } },
])

const wholesale = drawFlow([
  {
    id: 'keyword',
    label: 'Wholesale',
    at: [0, 0],
    settings: { kind: 'keyword', keywords: ['wholesale', 'bulk'], match: 'word' },
    to: { next: 'ask' },
  },
  {
    id: 'ask',
    label: 'Quantity',
    at: [0, 1],
    settings: { kind: 'ask', text: 'How many kilograms a month do you need?', attribute: 'monthly_kg' },
    to: { next: 'tag' },
  },
  { id: 'tag', label: 'Tag', at: [0, 2], settings: { kind: 'add_tag', tag: 'wholesale' }, to: { next: 'assign' } },
  {
    id: 'assign',
    label: 'Hand over',
    at: [0, 3],
    settings: { kind: 'assign', to: { kind: 'queue' } },
    to: { next: 'wait' },
  },
  {
    id: 'wait',
    label: 'Wait for a reply',
    at: [0, 4],
    settings: { kind: 'wait_reply', timeoutSeconds: 86_400 },
    to: { timeout: 'remind' },
  },
  {
    id: 'remind',
    label: 'Remind',
    at: [1, 5],
    settings: { kind: 'send_text', text: 'Hi {{first_name|there}}, are you still interested in our wholesale prices?' },
  },
])

/** One flow a bot, in the order of the bots. */
export const botFlows: readonly DraftFlow[] = [orderStatus, welcome, storeHours, feedback, wholesale]

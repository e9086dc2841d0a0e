/** Author of a demo message. */
type Author = 'customer' | 'bot' | 'agent'
type Tick = 'sent' | 'delivered' | 'read'

export interface DemoMessage {
  readonly id: number
  readonly author: Author
  readonly text: string
  /** Clock time as it stands beside the message. */
  readonly time: string
  /** Ticks; only on messages that we sent. */
  readonly tick: Tick | undefined
}

type DemoEvent =
  | { readonly kind: 'message'; readonly author: Author; readonly text: string; readonly time: string }
  | { readonly kind: 'typing'; readonly author: Author }
  | { readonly kind: 'tick'; readonly to: Tick }
  | { readonly kind: 'assign'; readonly to: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'other'; readonly row: OtherRow['id']; readonly text: string }

/** An event and the pause before it, in milliseconds. */
type Beat = DemoEvent & { readonly afterMs: number }

/** A conversation of the list that is not open. */
interface OtherRow {
  readonly id: 'ravi' | 'meera' | 'omar'
  readonly name: string
  readonly text: string
  readonly time: string
  readonly unread: number
}

export interface DemoState {
  readonly messages: readonly DemoMessage[]
  readonly typing: Author | undefined
  readonly assignee: string
  readonly tags: readonly string[]
  readonly others: readonly OtherRow[]
}

export const customer = { name: 'Asha Verma', phone: '+91 98765 43210' } as const

const start: DemoState = {
  messages: [
    { id: 0, author: 'customer', text: 'Do you deliver to Pune?', time: '09:12', tick: undefined },
    {
      id: 1,
      author: 'bot',
      text: 'Yes, within three days, and free of charge above ₹999.',
      time: '09:12',
      tick: 'read',
    },
    { id: 2, author: 'customer', text: 'Perfect, just ordered.', time: '09:20', tick: undefined },
  ],
  typing: undefined,
  assignee: 'Order status bot',
  tags: ['Customer'],
  others: [
    { id: 'ravi', name: 'Ravi Menon', text: 'Thanks, that worked!', time: '10:36', unread: 0 },
    { id: 'meera', name: 'Meera Joshi', text: 'Can I change my address?', time: '10:21', unread: 1 },
    { id: 'omar', name: 'Omar Khan', text: 'See you on Friday.', time: '09:58', unread: 0 },
  ],
}

/** The story of the miniature, in order. */
export const script: readonly Beat[] = [
  { kind: 'message', author: 'customer', text: 'Hi! Where is my order 4127?', time: '10:41', afterMs: 600 },
  { kind: 'typing', author: 'bot', afterMs: 700 },
  {
    kind: 'message',
    author: 'bot',
    text: 'Hi Asha, order 4127 left our warehouse this morning and arrives tomorrow.',
    time: '10:41',
    afterMs: 1400,
  },
  { kind: 'tick', to: 'delivered', afterMs: 600 },
  { kind: 'tick', to: 'read', afterMs: 900 },
  { kind: 'other', row: 'meera', text: 'It is flat 12B now, not 12A.', afterMs: 700 },
  { kind: 'typing', author: 'customer', afterMs: 600 },
  {
    kind: 'message',
    author: 'customer',
    text: 'Great. Could someone wrap it as a gift?',
    time: '10:42',
    afterMs: 1500,
  },
  { kind: 'assign', to: 'Priya Nair', afterMs: 900 },
  { kind: 'tag', tag: 'Gift wrap', afterMs: 600 },
  { kind: 'typing', author: 'agent', afterMs: 700 },
  {
    kind: 'message',
    author: 'agent',
    text: 'Of course! Priya here. I have added gift wrapping, with our compliments.',
    time: '10:43',
    afterMs: 1700,
  },
  { kind: 'tick', to: 'delivered', afterMs: 600 },
  { kind: 'tick', to: 'read', afterMs: 900 },
  { kind: 'other', row: 'ravi', text: 'One more question about my invoice', afterMs: 700 },
]

/** Returns the state of the miniature after the first `beats` events. */
export const demoAfter = (beats: number): DemoState => script.slice(0, beats).reduce(apply, start)

function apply(state: DemoState, event: DemoEvent): DemoState {
  if (event.kind === 'typing') return { ...state, typing: event.author }
  if (event.kind === 'assign') return { ...state, assignee: event.to }
  if (event.kind === 'tag') return { ...state, tags: [...state.tags, event.tag] }
  if (event.kind === 'other') return { ...state, others: raise(state.others, event) }
  if (event.kind === 'tick') {
    const last = state.messages.length - 1
    return { ...state, messages: state.messages.map((m, index) => (index === last ? { ...m, tick: event.to } : m)) }
  }
  const { author, text, time } = event
  const tick = author === 'customer' ? undefined : 'sent'
  return {
    ...state,
    typing: undefined,
    messages: [...state.messages, { id: state.messages.length, author, text, time, tick }],
  }
}

/** A new message lifts its conversation to the top of the list. */
function raise(others: readonly OtherRow[], { row, text }: { row: OtherRow['id']; text: string }): OtherRow[] {
  const raised = others
    .filter(({ id }) => id === row)
    .map((other) => ({ ...other, text, time: '10:43', unread: other.unread + 1 }))
  return [...raised, ...others.filter(({ id }) => id !== row)]
}

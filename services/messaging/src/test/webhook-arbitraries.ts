import fc from 'fast-check'

/** A piece of a webhook for a customer; `name` makes the ids of one customer's messages. */
export type Step = (to: { readonly from: string; readonly name: (short: string) => string }) => {
  readonly field: 'messages' | 'smb_message_echoes'
  readonly value: Record<string, unknown>
}

/** Adds the label that a failed run shows for a step. */
const named = (label: string, step: Step): Step => Object.assign(step, { [fc.toStringMethod]: () => label })

const startsAt = 1_767_225_600
const second = fc.integer({ min: 0, max: 500 })
const word = fc.constantFrom('Hi', 'ஹலோ 🤖', 'a\u0000b', '\ud800', '$set', 'x'.repeat(5000), ' ')

const inboundMessage = (at: number, kind: object, id: string) => (from: string) => ({
  id,
  from,
  timestamp: String(startsAt + at),
  ...kind,
})
const inbound = (at: number, short: string, kind: (name: (short: string) => string) => object): Step =>
  named(`${short} at ${at}`, ({ from, name }) => ({
    field: 'messages',
    value: { messages: [inboundMessage(at, kind(name), name(short))(from)] },
  }))

/** Generates different times: the order of two marks of one second cannot be known. */
const times = (count: number) => fc.uniqueArray(second, { minLength: count, maxLength: count })

const steps = ['sent', 'delivered', 'read', 'failed', 'played', 'deleted', 'a step of tomorrow'] as const

/** Exchanges between a business and one customer: messages both ways, with statuses, reactions, edits, deletions and quotes. */
export const conversations: fc.Arbitrary<Step[]> = fc
  .record({
    texts: fc.array(word, { minLength: 1, maxLength: 3 }),
    times: times(12),
    statuses: fc.subarray([...steps]),
    pricing: fc.option(fc.record({ billable: fc.boolean(), category: fc.constantFrom('utility', 'marketing') })),
    emojis: fc.array(fc.constantFrom('👍', '❤️', ''), { maxLength: 3 }),
    edits: fc.array(word, { maxLength: 2 }),
    isRevoked: fc.boolean(),
    isRepeated: fc.boolean(),
  })
  .map(({ texts, times: [ours = 0, ...at], statuses, pricing, emojis, edits, isRevoked, isRepeated }) => {
    const text = (body: string) => ({ type: 'text', text: { body } })
    const next = () => at.pop() ?? 0
    const spoken = texts.map((body, index) => {
      const quoted = index > 0 ? `text${index - 1}` : 'ours'
      return inbound(next(), `text${index}`, (name) => ({ ...text(body), context: { id: name(quoted) } }))
    })
    const echo = named(`ours at ${ours}`, ({ from, name }) => ({
      field: 'smb_message_echoes',
      value: {
        message_echoes: [
          { id: name('ours'), from: '1', to: from, timestamp: String(startsAt + ours), ...text('From my phone') },
        ],
      },
    }))
    const updates = statuses.map((status, index) =>
      named(status, ({ from, name }) => {
        const failure = status === 'failed' && { errors: [{ code: 131_026, title: 'Undeliverable' }] }
        const time = String(startsAt + ours + index)
        const about = { id: name('ours'), status, timestamp: time, recipient_id: from }
        return { field: 'messages', value: { statuses: [{ ...about, ...(pricing && { pricing }), ...failure }] } }
      }),
    )
    const marks = [
      ...emojis.map((emoji, index) =>
        inbound(next(), `react${index}`, (name) => ({
          type: 'reaction',
          reaction: { message_id: name(index % 2 ? 'text0' : 'ours'), emoji },
        })),
      ),
      ...edits.map((body, index) =>
        inbound(next(), `edit${index}`, (name) => ({
          type: 'edit',
          edit: { original_message_id: name('text0'), message: text(body) },
        })),
      ),
      ...(isRevoked
        ? [inbound(next(), 'revoke', (name) => ({ type: 'revoke', revoke: { original_message_id: name('text0') } }))]
        : []),
    ]
    const all = [...spoken, echo, ...updates, ...marks]
    return isRepeated ? [...all, ...all] : all
  })

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom('', '\u0000', '-1', '9'.repeat(400), null, -1, 1e308, '__proto__', [], {}),
)
const odd = (likely: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: anything })
const types = [
  'text',
  'image',
  'location',
  'contacts',
  'interactive',
  'order',
  'system',
  'reaction',
  'edit',
  'revoke',
].concat(['button', 'unsupported', 'tomorrow', 'constructor'])

/** A message that is often not as it should be. @param from numbers of customers. */
const oddMessage = (from: fc.Arbitrary<string>) =>
  fc.record(
    {
      id: odd(fc.string({ minLength: 1, maxLength: 20 }).map((id) => `wamid.odd.${id}`)),
      from: odd(from),
      from_user_id: odd(fc.constantFrom('IN.1', 'IN.2')),
      timestamp: odd(fc.constantFrom('1767225600', 1_767_225_601)),
      type: odd(fc.constantFrom(...types)),
      context: odd(fc.record({ id: odd(fc.constant('wamid.odd.a')) })),
      referral: anything,
      errors: anything,
      ...Object.fromEntries(types.filter((type) => type !== 'constructor').map((type) => [type, anything])),
    },
    { requiredKeys: ['id', 'from', 'timestamp', 'type'] },
  )
const oddStatus = (from: fc.Arbitrary<string>) =>
  fc.record(
    {
      id: odd(fc.constantFrom('wamid.odd.a', 'wamid.odd.b')),
      status: odd(fc.constantFrom(...steps)),
      timestamp: odd(fc.constant('1767225600')),
      recipient_id: odd(from),
      pricing: anything,
      errors: anything,
      biz_opaque_callback_data: odd(fc.constantFrom('f'.repeat(24), 'reaction:x')),
    },
    { requiredKeys: ['id', 'status', 'timestamp'] },
  )
const fields = ['messages', 'smb_message_echoes', 'account_update', 'user_preferences', 'user_id_update'].concat([
  'message_template_status_update',
  'phone_number_quality_update',
  'constructor',
  'tomorrow',
])

/** Malformed webhook bodies, which must be accepted anyway. */
export const oddBodies = (metadata: object, from: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const value = fc.record(
    {
      metadata: odd(fc.constant(metadata)),
      messages: odd(fc.array(odd(oddMessage(from)), { maxLength: 3 })),
      statuses: odd(fc.array(odd(oddStatus(from)), { maxLength: 3 })),
      contacts: odd(fc.array(odd(fc.record({ wa_id: odd(from), profile: anything })), { maxLength: 2 })),
      errors: anything,
      message_echoes: odd(fc.array(odd(oddMessage(from)), { maxLength: 2 })),
      user_preferences: anything,
      event: anything,
    },
    { requiredKeys: [] },
  )
  const change = fc.record({ field: odd(fc.constantFrom(...fields)), value: odd(value) })
  const entry = fc.record({
    id: odd(fc.constant('1')),
    time: odd(fc.constant(startsAt)),
    changes: odd(fc.array(odd(change), { maxLength: 3 })),
  })
  const body = fc.record({ object: anything, entry: odd(fc.array(odd(entry), { minLength: 1, maxLength: 2 })) })
  return fc.oneof(
    { weight: 9, arbitrary: body.map((json) => JSON.stringify(json)) },
    { weight: 1, arbitrary: fc.string() },
  )
}

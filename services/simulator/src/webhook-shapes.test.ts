import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examplesIn, hasExamples, readExample, reason, shapeOf } from './testing/examples.ts'
import { settled, startReceiver, startSimulator } from './testing/start-simulator.ts'

const from = '16505551234'
const meta = 'meta-openapi/webhooks'
const derived = 'derived/webhooks'

/** Group chats are not simulated. */
const groups = ['Group_Create_Message.json', 'Group_Remove_Participants.json', 'Group_Settings_Update.json']
const inboundExamples = examplesIn(meta).filter((name) => !groups.includes(name))
const failures = examplesIn(derived).filter((name) => name.startsWith('status_failed_'))

/** Derived examples: what customers send, statuses, events of templates and of accounts. */
const customers = [
  ['incoming_text_bsuid_only_no_phone.json', 'text', { name: 'A', from: '16505000666', text: { body: 'Hi' } }],
  ['incoming_unknown_future_type.json', 'poll_creation_v9', { from, poll_creation_v9: undefined }],
] as const
const statuses = [
  ['status_sent_opaque_callback.json', 'sent', { biz_opaque_callback_data: 'y' }],
  ['status_sent_utility_free_in_window.json', 'sent', {}],
  ['status_delivered_service_regular_after_2026-10.json', 'delivered', {}],
  ['status_read_skips_delivered.json', 'read', {}],
] as const
const templates = [
  ['template_status_PAUSED.json', 'pause', {}],
  ['template_status_REINSTATED.json', 'announce', { event: 'REINSTATED' }],
  ['template_status_DISABLED.json', 'disable', {}],
  ['template_status_FLAGGED.json', 'announce', { event: 'FLAGGED' }],
  ['template_status_IN_APPEAL.json', 'announce', { event: 'IN_APPEAL' }],
  ['template_status_LIMIT_EXCEEDED.json', 'announce', { event: 'LIMIT_EXCEEDED' }],
  ['template_status_PENDING_DELETION.json', 'delete', {}],
  ['template_category_update_done.json', 'recategorise', {}],
  ['template_category_update_impending.json', 'impend', {}],
] as const
const accounts = [
  ['phone_number_quality_update_v24.json', '/quality', { quality: 'RED' }],
  ['business_capability_update_v24.json', '/capability', { tier: 'TIER_10K' }],
  [
    'account_review_update_rejected.json',
    '/account',
    { field: 'account_review_update', value: { decision: 'REJECTED' } },
  ],
] as const
/** Examples that equal one of Meta's own, or are not sent by themselves: several entries, errors of a number, unknown fields. */
const elsewhere = [
  'batch_two_entries_mixed.json',
  'unknown_field.json',
  'value_errors_130429.json',
  'system_user_changed_number.json',
  'incoming_interactive_button_reply.json',
]

/** The examples are older than business-scoped user ids, which webhooks carry since April 2026. */
function withUserIds({ field, value }: { field: string; value: Record<string, unknown[]> }) {
  const contacts = value['contacts']?.map((contact) => ({ ...(contact as object), user_id: '' }))
  const messages = value['messages']?.map((message) => {
    const isSystem = (message as { type: string }).type === 'system'
    return { ...(message as object), ...(!isSystem && { from_user_id: '' }) }
  })
  return { field, value: { ...value, ...(contacts && { contacts }), ...(messages && { messages }) } }
}

describe.skipIf(!hasExamples)(`webhooks of the simulator have the shape of the platform's examples${reason}`, () => {
  let running: Awaited<ReturnType<typeof startSimulator>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    running = await startSimulator({ receiver })
    await running.sim('/limits', { pairDepth: null })
    await running.hear(from)
  })
  afterAll(async () => {
    await running.stop()
    await receiver.close()
  })

  /** Returns the one change that `act` causes and that `fits`. */
  async function changeAfter(act: () => Promise<unknown>, fits: (change: Change) => boolean) {
    await settled(() => expect(running.simulator.world.waiting.size).toBe(0))
    const before = receiver.changes().length
    await act()
    const found = () => receiver.changes().slice(before).find(fits)
    await settled(() => expect(found()).toBeDefined())
    return found()
  }

  test.each(inboundExamples)('%s', async (name) => {
    const [change] = readExample(`${meta}/${name}`).entry[0].changes
    const [message] = change.value.messages
    const shown = await changeAfter(
      () => replay(message),
      ({ value }) => value.messages?.[0]?.type === message.type,
    )
    expect(shapeOf(shown)).toEqual(shapeOf(withUserIds(change)))
  })

  /** Acts as the customer of an example. */
  async function replay(message: Record<string, never> & Example): Promise<unknown> {
    const { sim, simulator, simulatedNumber } = running
    const { type, context, referral } = message
    if (type === 'reaction') return sim('/react', { wamid: await asked(), emoji: '👍' })
    if (type === 'interactive')
      return sim('/press', { wamid: await asked(message['interactive']), button: 'b-1', row: 'b-1' })
    if (type === 'button') return sim('/press', { wamid: await templateSent(), button: 'Unsubscribe' })
    if (type === 'system') {
      await running.hear('16505550077')
      return sim('/change-number', { from: '16505550077', to: '12195555358' })
    }
    const content = message[type] as Record<string, unknown> | undefined
    const file = { bytes: Buffer.from('x'), type: 'image/jpeg', name: null }
    const media = type === 'image' && { id: simulator.media.keep(simulatedNumber.phoneNumberId, file, 'customer').id }
    return sim('/inbound', {
      from: referral ? '16505552222' : from,
      type,
      ...(content && { [type]: media ? { caption: content['caption'], ...media } : content }),
      ...(context && { reply_to: context.id, referred_product: context.referred_product }),
      ...(referral && { referral }),
    })
  }

  /** Sends the question of the business: a list where the example presses a row, else buttons. */
  async function asked(answer?: { type: string; list_reply?: { description: string } }): Promise<string> {
    const row = { id: 'b-1', title: 'One', description: 'The first' }
    const action = answer?.list_reply
      ? { button: 'Choose', sections: [{ title: 'All', rows: [row] }] }
      : { buttons: [{ type: 'reply', reply: { id: 'b-1', title: 'One' } }] }
    const interactive = { type: answer?.list_reply ? 'list' : 'button', body: { text: 'Which?' }, action }
    return (await running.send(from, { type: 'interactive', interactive })).body.messages[0].id
  }

  async function templateSent(): Promise<string> {
    const template = { name: 'with_button', language: { code: 'en' } }
    await placed('with_button', [{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Unsubscribe' }] }])
    return (await running.send(from, { type: 'template', template })).body.messages[0].id
  }

  async function placed(name: string, more: object[] = []): Promise<string> {
    const { sim, simulatedNumber, simulator } = running
    const id = simulator.world.random.digits(14)
    const components = [{ type: 'BODY', text: 'Hello there' }, ...more]
    const template = { id, name, language: 'en', category: 'UTILITY', status: 'APPROVED', components }
    await sim('/templates', { account_id: simulatedNumber.accountId, templates: [template] })
    return id
  }

  test.each(customers)('%s', async (name, type, fields) => {
    const example = readExample(`${derived}/${name}`).entry[0].changes[0]
    const { id } = running.simulator.world.customerOf('16505000666')
    await running.sim(`/customers/${id}`, { username: 'testuser' }, 'PATCH')
    const content = { [type]: example.value.messages[0][type] }
    const change = await changeAfter(
      () => running.sim('/inbound', { type, ...fields, ...(type !== 'text' && content) }),
      ({ value }) => value.messages?.[0]?.type === type,
    )
    expect(shapeOf(change)).toEqual(shapeOf(withUserIds(example)))
  })

  const statusIs =
    (id: string, status: string) =>
    ({ value }: Change) =>
      value.statuses?.some((one) => one.id === id && one.status === status) ?? false

  /** Sends a message to which nothing happens by itself. */
  async function sent(body: object = { type: 'text', text: { body: 'x' } }): Promise<string> {
    running.simulator.outbound.settings({ sentMs: 600_000 })
    const { id } = (await running.send(from, body)).body.messages[0]
    running.simulator.outbound.settings({ sentMs: 0 })
    return id
  }

  test.each(failures)('%s', async (name) => {
    const example = readExample(`${derived}/${name}`).entry[0].changes[0]
    const id = await sent()
    const error = example.value.statuses[0].errors[0].code
    const change = await changeAfter(
      () => running.sim('/status', { wamid: id, status: 'failed', error }),
      statusIs(id, 'failed'),
    )
    expect(shapeOf(change)).toEqual(shapeOf(example))
    expect(change?.value.statuses?.[0]).toMatchObject({ errors: [{ code: error }] })
  })

  test.each(statuses)('%s', async (name, status, more) => {
    const example = readExample(`${derived}/${name}`).entry[0].changes[0]
    const id = await sent({ type: 'text', text: { body: 'x' }, ...more })
    const change = await changeAfter(() => running.sim('/status', { wamid: id, status }), statusIs(id, status))
    expect(shapeOf(change)).toEqual(shapeOf(example))
  })

  test('status_delivered_free_entry_point.json', async () => {
    const example = readExample(`${derived}/status_delivered_free_entry_point.json`).entry[0].changes[0]
    const lead = '16505557777'
    const referral = { source_url: 'https://fb.me/x', source_id: '1', source_type: 'ad' }
    await running.sim('/inbound', { from: lead, type: 'text', text: { body: 'Hi' }, referral })
    await running.send(lead)
    const { id } = (await running.send(lead)).body.messages[0]
    await settled(() => expect(receiver.changes().some(statusIs(id, 'delivered'))).toBe(true))
    const change = receiver.changes().find(statusIs(id, 'delivered'))
    expect(shapeOf(change)).toEqual(shapeOf(example))
    expect(change?.value.statuses?.[0]).toMatchObject({
      conversation: example.value.statuses[0].conversation.origin && { origin: { type: 'referral_conversion' } },
    })
  })

  test('user_preferences_stop.json', async () => {
    const example = readExample(`${derived}/user_preferences_stop.json`).entry[0].changes[0]
    const stop = () => running.sim('/preference', { from: '16505558888', value: 'stop' })
    expect(shapeOf(await changeAfter(stop, ({ field }) => field === example.field))).toEqual(shapeOf(example))
  })

  test.each(templates)('%s', async (name, action, body) => {
    const [example] = readExample(`${derived}/${name}`).entry
    const { graph, simulatedNumber, sim } = running
    const id = await placed(name.replace('.json', '').toLowerCase().replaceAll('-', '_'))
    const act = () =>
      action === 'delete'
        ? graph('DELETE', `${simulatedNumber.accountId}/message_templates?hsm_id=${id}`)
        : sim(`/template/${id}/${action}`, body)
    const change = await changeAfter(act, ({ value }) => value['message_template_id'] === Number(id))
    expect(shapeOf(change)).toEqual(shapeOf(example.changes[0]))
    expect(change?.value['event']).toBe(example.changes[0].value.event)
  })

  test.each(accounts)('%s', async (name, path, body) => {
    const { sim, simulatedNumber } = running
    const act = () =>
      sim(path, { phone_number_id: simulatedNumber.phoneNumberId, account_id: simulatedNumber.accountId, ...body })
    const example = readExample(`${derived}/${name}`)
    const fits = ({ field }: Change) => field === example.entry[0].changes[0].field
    await changeAfter(act, fits)
    const whole = receiver.received.map(({ body }) => JSON.parse(body)).find(({ entry }) => entry[0].changes.some(fits))
    expect(shapeOf(whole)).toEqual(shapeOf(example))
  })

  test('every example is compared here, or named as one of what is not simulated', () => {
    const compared = [customers, statuses, templates, accounts].flatMap((table) => table.map(([name]) => name))
    const others = ['status_delivered_free_entry_point.json', 'user_preferences_stop.json', ...failures]
    const known: readonly string[] = [...compared, ...others, ...elsewhere]
    expect(examplesIn(derived).filter((name) => !known.includes(name))).toEqual([])
  })
})

type Change = ReturnType<Awaited<ReturnType<typeof startReceiver>>['changes']>[number]
interface Example {
  readonly type: string
  readonly context?: { id: string; referred_product?: object }
  readonly referral?: object
}

import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMediaService } from '../modules/media/media.service.ts'
import { createTemplates } from '../modules/templates/module.ts'
import { GraphCallFailed } from '../whatsapp/graph-answer.ts'
import type { GraphClient } from '../whatsapp/graph-client.ts'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

const owner = () => parley.signIn()
let digits = 100_000
function nextId() {
  digits += 1
  return digits
}
const placed = (name: string, over: object = {}) => ({
  id: String(nextId()),
  name,
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  components: [{ type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['CC-1']] } }],
  ...over,
})
const putTemplates = (templates: object[], accountId = parley.simulatedNumber.accountId) =>
  parley.simulator.call('/templates', { account_id: accountId, templates })
const named = async (name: string) => (await owner().call('GET', `/api/templates?q=${name}`)).body.items[0]
const reads = () => parley.database.connection.collection('templateReads')
const sync = async () => {
  expect((await owner().call('POST', '/api/templates/sync')).status).toBe(202)
  return eventually(async () => {
    const { body } = await owner().call('GET', '/api/templates/sync')
    expect(body.running).toBe(false)
    return body
  })
}

/** Templates whose calls to WhatsApp go through `call`. */
function templatesBehind(call: (real: GraphClient['call']) => GraphClient['call']) {
  const access = parley.services.numberConnection.accessOf(parley.number)
  const graph = { ...access.graph, call: call(access.graph.call) }
  return createTemplates({
    mongo: parley.database.connection,
    cursors: createPageCursors('a secret of these tests, long enough'),
    transaction: (work) => inTransaction(parley.database.connection, work),
    queues: { jobs: () => ({ add: async () => undefined }) },
    media: createMediaService(parley.database.connection),
    numbers: { ...parley.services.numbers, accountAccess: async () => ({ ...access, graph }) },
    rateCards: { at: async () => null },
    campaignsOf: async () => [],
    usesOf: async () => [],
    linksUrl: undefined,
  })
}

test('what was written elsewhere is found to the last page, and what nobody here knows breaks no list', async () => {
  const many = Array.from({ length: 230 }, (_, index) => placed(`bulk_${index}`))
  const strange = placed('strange_offer', {
    status: 'PAUSED',
    components: [
      { type: 'HEADER', format: 'GIF', example: { header_handle: ['4::x'] } },
      { type: 'BODY', text: 'A chair for every table, this week only.' },
      { type: 'CAROUSEL', cards: [] },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'COPY_CODE', text: 'Copy' },
          { type: 'QUICK_REPLY', text: 'Stop' },
        ],
      },
    ],
  })
  // A connected number has its account compared by itself; that comparison is over before there is anything to find.
  const { total } = await sync()
  await putTemplates([...many.slice(0, 190)])
  await putTemplates([...many.slice(190), strange])
  const state = await sync()
  expect(state.syncedAt).toEqual(expect.any(String))
  expect(state.problem).toBeUndefined()
  const run = { accountId: parley.simulatedNumber.accountId, seen: 231, changed: 231, gone: 0 }
  expect(state.latest).toEqual([expect.objectContaining(run)])
  expect([state.items[0], state.total]).toEqual([expect.objectContaining(run), total + 1])
  const { body } = await owner().call('GET', '/api/templates?limit=100')
  expect(body.total).toBe(231)
  expect(await named('strange_offer')).toMatchObject({
    status: 'paused',
    body: 'A chair for every table, this week only.',
    buttons: [
      { kind: 'copy_code', text: 'Copy', code: '{{1}}' },
      { kind: 'quick_reply', text: 'Stop' },
    ],
    unsupported: ['gif header', 'carousel'],
  })
  const plain = await named('bulk_229')
  expect(plain).toMatchObject({ status: 'approved', language: 'en_US', examples: { 1: 'CC-1' } })
  // Known values are not written again.
  expect((await sync()).latest).toMatchObject([{ seen: 231, changed: 0 }])
  const history = (query: string, as = owner()) => as.call('GET', `/api/templates/sync?${query}`)
  const { body: page } = await history('limit=1')
  expect([page.total, page.items]).toEqual([total + 2, [expect.objectContaining({ seen: 231, changed: 0 })]])
  expect((await history(`limit=1&cursor=${page.nextCursor}`)).body.items).toMatchObject([run])
  expect((await history('accountId=another')).body.items).toEqual([])
  expect((await history('', parley.signIn({ role: 'viewer' }))).status).toBe(200)
  await expectIndexed(parley.database.connection, () => history(`accountId=${parley.simulatedNumber.accountId}`))
  expect((await named('bulk_229')).version).toBe(plain.version)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', '/api/templates')).body.total).toBe(0)
  expect((await stranger.call('GET', '/api/templates/sync')).body).toMatchObject({ items: [], latest: [], total: 0 })
  expect((await stranger.call('POST', '/api/templates/sync')).body.code).toBe('wrong_state')
  expect((await parley.signIn({ role: 'agent' }).call('POST', '/api/templates/sync')).status).toBe(403)
})

test('a run that breaks off marks nothing as missing, one that reaches the end does', async () => {
  await putTemplates([placed('stays')])
  await sync()
  const stored = parley.database.connection.collection('templates')
  const inWorkspace = parley.inWorkspace
  const ghost = await named('stays')
  await stored.updateOne(
    { ...inWorkspace, _id: new Types.ObjectId(ghost.id) },
    { $set: { waTemplateId: '1', name: 'ghost', key: 'ghost', createdAt: new Date(0) } },
  )
  let page = 0
  const broken = templatesBehind((real) => (method, path, options) => {
    if (path.endsWith('/message_templates')) page += 1
    if (page === 2) throw new GraphCallFailed('The line went dead.')
    return real(method, path, options)
  })
  const due = async () => {
    await parley.database.connection
      .collection('templateSyncs')
      .updateMany(inWorkspace, { $set: { nextAt: new Date(0) } })
    return (await broken.templateSync.due()).filter(({ workspaceId }) => workspaceId === parley.scope.workspaceId)
  }
  for (const record of await due()) await broken.templateSync.perform(record)
  expect(page).toBe(2)
  const { body: reported } = await owner().call('GET', '/api/templates/sync')
  expect(reported.problem).toBe('The line went dead.')
  expect(reported.items[0]).toMatchObject({
    seen: 200,
    changed: 0,
    gone: 0,
    error: { code: 'unreachable', message: 'The line went dead.' },
  })
  expect(await named('ghost')).toMatchObject({ status: 'approved' })
  const whole = await sync()
  expect(whole.problem).toBeUndefined()
  expect(whole.items[0]).toMatchObject({ gone: 1 })
  expect(whole.items[0]).not.toHaveProperty('error')
  expect(await named('ghost')).toMatchObject({ status: 'disabled', statusDetail: expect.stringContaining('no longer') })
  expect(await named('stays')).toMatchObject({ status: 'approved' })
})

test('webhooks in any order, and each twice, end in one state', async () => {
  const { accountId } = parley.simulatedNumber
  const event = (second: number, value: object, field = 'message_template_status_update') => ({
    accountId,
    field,
    value: { message_template_id: 1, message_template_language: 'en-US', ...value },
    at: new Date(1_800_000_000_000 + second * 1000),
  })
  const reported = [
    event(1, { event: 'APPROVED', reason: 'NONE' }),
    event(2, { event: 'FLAGGED' }),
    event(3, { event: 'PAUSED', other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours.' } }),
    event(2, { new_category: 'UTILITY', correct_category: 'MARKETING' }, 'template_category_update'),
    event(4, { previous_category: 'UTILITY', new_category: 'MARKETING' }, 'template_category_update'),
    event(5, { new_quality_score: 'RED' }, 'message_template_quality_update'),
    event(1, { new_quality_score: 'GREEN' }, 'message_template_quality_update'),
    event(3, {}, 'message_template_components_update'),
    event(1, { event: 'REINSTATED' }),
  ]
  const orders = [
    reported,
    reported.toReversed(),
    [...reported.slice(3), ...reported.slice(0, 3)],
    [...reported, ...reported.toReversed()],
  ]
  for (const [index, order] of orders.entries()) {
    const name = `in_any_order_${index}`
    const before = placed(name)
    await putTemplates([before])
    await sync()
    const text = `Order {{1}} is on its way to you, number ${index}.`
    const components = [{ type: 'BODY', text, example: { body_text: [['CC-1']] } }]
    await putTemplates([{ ...before, components, status: 'PAUSED', category: 'MARKETING', quality: 'RED' }])
    for (const { value, ...rest } of order)
      await inTransaction(parley.database.connection, (tx) =>
        parley.services.templateEvents.apply(
          parley.scope,
          { ...rest, value: { ...value, message_template_name: name } },
          tx,
        ),
      )
    // The text is nowhere in them: it is read.
    const ended = await eventually(async () => {
      const template = await named(name)
      expect(template.body, String(index)).toBe(text)
      return template
    })
    expect(ended, String(index)).toMatchObject({
      status: 'paused',
      statusDetail: 'Paused for 3 hours.',
      category: 'marketing',
      quality: 'low',
      contentVersion: 2,
    })
    expect(ended).not.toHaveProperty('nextCategory')
  }
})

test('one template that a webhook tells of is read by itself, whoever wrote it', async () => {
  const runs = async () => (await owner().call('GET', '/api/templates/sync')).body.total
  await sync()
  const before = await runs()
  const made = placed('written_in_manager')
  await putTemplates([made])
  expect(await named(made.name)).toBeUndefined()
  const act = (action: string, body: object) => parley.simulator.call(`/template/${made.id}/${action}`, body)
  await act('approve', {})
  const adopted = await eventually(async () => {
    const template = await named(made.name)
    expect(template).toMatchObject({ status: 'approved', body: 'Your order {{1}} is on its way.', contentVersion: 1 })
    return template
  })
  const text = 'Your order {{1}} has left our shop.'
  await act('revise', { components: [{ type: 'BODY', text, example: { body_text: [['CC-1']] } }] })
  await eventually(async () => expect(await named(made.name)).toMatchObject({ id: adopted.id, body: text }))
  // A template that is back from the archive may have another status as well.
  await act('announce', { event: 'ARCHIVED' })
  await eventually(async () => expect(await named(made.name)).toMatchObject({ status: 'disabled' }))
  await putTemplates([{ ...made, category: 'MARKETING' }])
  await act('announce', { event: 'UNARCHIVED' })
  await eventually(async () =>
    expect(await named(made.name)).toMatchObject({
      status: 'approved',
      category: 'marketing',
      body: 'Your order {{1}} is on its way.',
    }),
  )
  expect(await runs()).toBe(before)
  await eventually(async () => expect(await reads().countDocuments(parley.inWorkspace)).toBe(0))
  await expectIndexed(parley.database.connection, () => parley.services.templateAdoption.due())
})

test('a template that was removed here stays so, whatever webhooks tell of it', async () => {
  const made = placed('removed_here')
  await putTemplates([made])
  await sync()
  const { id } = await named(made.name)
  expect((await owner().call('DELETE', `/api/templates/${id}`)).status).toBe(204)
  await parley.simulator.call(`/template/${made.id}/revise`, {})
  await parley.simulator.call(`/template/${made.id}/quality`, { score: 'RED' })
  const events = parley.database.connection.collection('accountEvents')
  await eventually(async () =>
    expect(await events.countDocuments({ ...parley.inWorkspace, value: { $regex: made.name } })).toBe(2),
  )
  const reported = { message_template_id: Number(made.id), message_template_name: 'unknown', new_quality_score: 'RED' }
  const value = { ...reported, message_template_language: 'en-US' }
  const event = {
    accountId: parley.simulatedNumber.accountId,
    field: 'message_template_quality_update',
    value,
    at: new Date(),
  }
  await expectIndexed(parley.database.connection, () =>
    inTransaction(parley.database.connection, (tx) => parley.services.templateEvents.apply(parley.scope, event, tx)),
  )
  expect(await named(made.name)).toBeUndefined()
  expect(await reads().countDocuments(parley.inWorkspace)).toBe(0)
})

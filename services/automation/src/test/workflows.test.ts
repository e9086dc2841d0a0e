import { workflowsApi } from '@parley/contracts/automation/workflows'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { beforeAll, expect, test } from 'vitest'
import { flowOf, say, soundFlow, soundWorkflow } from './flow-fixtures.ts'
import { joinAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof joinAutomation>>
beforeAll(async () => {
  parley = await joinAutomation()
})
type Person = ReturnType<typeof parley.signIn>

const named = (owner: Person, name: string, draft: object = soundWorkflow('vip')) =>
  owner.ask('POST', '/api/workflows', { name, draft })

test('a workflow begins paused with the rules of all, is saved, published, started, paused and copied', async () => {
  const ann = parley.signIn()
  const workflow = await named(ann, ' Thanks ')
  expect(workflow).toMatchObject({
    name: 'Thanks',
    status: 'paused',
    triggers: 1,
    actions: 1,
    reEnrolment: 'never',
    coolDownSeconds: 0,
    startsPerHour: 1000,
    perContactPerHour: 5,
    executions: 0,
    successRate: 0,
    unpublishedChanges: true,
    version: 1,
  })
  const path = `/api/workflows/${workflow.id}`
  expect((await ann.call('POST', `${path}/start`)).body.code).toBe('not_published')
  const saved = await ann.ask('PATCH', path, { version: 1, reEnrolment: 'always', coolDownSeconds: 60 })
  expect(saved).toMatchObject({ version: 2, reEnrolment: 'always', coolDownSeconds: 60, startsPerHour: 1000 })
  const published = await ann.ask('POST', `${path}/publish`, { version: 2, start: true })
  expect(published).toMatchObject({ number: 1, workflow: { status: 'active', unpublishedChanges: false } })
  expect(await ann.ask('GET', '/api/workflows/summary')).toMatchObject({ total: 1, active: 1 })
  expect(parley.others.of(ann.workspaceId).told.at(-1)).toMatchObject({ active: true, numberIds: [] })
  expect(await ann.ask('POST', `${path}/pause`, {})).toMatchObject({ status: 'paused' })
  // A run may just have begun: messaging is told a minute later that nothing runs.
  expect(parley.others.of(ann.workspaceId).told.at(-1)).toMatchObject({ active: true, numberIds: [] })
  const copy = await ann.ask('POST', `${path}/duplicate`, {})
  expect(copy).toMatchObject({ name: 'Thanks (copy)', status: 'paused', reEnrolment: 'always', draft: workflow.draft })
  expect((await ann.ask('GET', '/api/workflows')).items.map(({ name }: { name: string }) => name)).toEqual([
    'Thanks',
    'Thanks (copy)',
  ])
  expect((await ann.ask('GET', `${path}/versions`)).items).toMatchObject([{ number: 1, publishedBy: ann.userId }])
  expect(await ann.ask('GET', `${path}/runs`)).toMatchObject({ items: [], total: 0 })
})

test('deleted, it starts nothing and can be restored, paused; it is no bot, and no bot is a workflow', async () => {
  const ann = parley.signIn()
  const { id } = await named(ann, 'Gone soon')
  await ann.ask('POST', `/api/workflows/${id}/publish`, { version: 1, start: true })
  await ann.ask('DELETE', `/api/workflows/${id}`)
  expect((await ann.call('GET', `/api/workflows/${id}`)).status).toBe(404)
  expect(await ann.ask('POST', `/api/workflows/${id}/restore`)).toMatchObject({ status: 'paused' })
  const bot = await ann.ask('POST', '/api/bots', { name: 'Bot', draft: soundFlow('hi') })
  expect((await ann.call('GET', `/api/workflows/${bot.id}`)).status).toBe(404)
  expect((await ann.call('GET', `/api/bots/${id}`)).status).toBe(404)
})

test('of two tabs that save, the second is told what the first has saved', async () => {
  const ann = parley.signIn()
  const { id, version } = await named(ann, 'Two tabs')
  const save = (tag: string) => ann.call('PATCH', `/api/workflows/${id}`, { version, draft: soundWorkflow(tag) })
  const answers = (await Promise.all([save('a'), save('b')])).sort((left, right) => left.status - right.status)
  expect(answers.map(({ status }) => status)).toEqual([200, 409])
  expect(workflowsApi.read.response.parse(answers[1]?.body.current).draft).toEqual(answers[0]?.body.draft)
})

test('what cannot run is not published: other triggers, unknown fields, steps of bots; text without a window is a warning', async () => {
  const ann = parley.signIn()
  const codes = async (draft: object) => {
    const { id } = await named(ann, 'Checked', draft)
    const { problems } = await ann.ask('POST', `/api/workflows/${id}/check`, {})
    return problems.map(({ code, severity }: { code: string; severity: string }) => `${severity} ${code}`).sort()
  }
  const on = (event: string, field?: string) => ({
    kind: 'event',
    event,
    ...(field && { filter: { match: 'all', conditions: [{ field, comparison: 'equals', value: 'x' }] } }),
  })
  expect(await codes(soundFlow('hi'))).toContain('critical not_runnable')
  expect(await codes(flowOf(on('contact.created', 'event.tag'), { kind: 'add_tag', tag: 'x' }))).toEqual([
    'critical unknown_filter_field',
  ])
  expect(await codes(flowOf(on('contact.created'), { kind: 'go_to_bot', botId: 'b' }))).toContain(
    'critical not_runnable',
  )
  expect(await codes(flowOf(on('contact.created'), say('Hello!')))).toEqual(['warning outside_window'])
  expect(await codes(flowOf(on('message.received'), say('Hello!')))).toEqual([])
  expect(await codes(flowOf(on('contact.tag_added'), { kind: 'add_tag', tag: 'x' }))).toEqual(['warning fires_itself'])
  const { id } = await named(ann, 'Refused', flowOf(on('contact.created'), say('Hello!')))
  const refused = await ann.call('POST', `/api/workflows/${id}/publish`, { version: 1 })
  expect([refused.status, refused.body.code]).toEqual([409, 'warnings_open'])
})

test('a program starts a workflow for a contact with its key, and follows it; no more than its scopes and numbers allow', async () => {
  const ann = parley.signIn()
  const { id } = await named(ann, 'From outside')
  const path = `/api/workflows/${id}/runs`
  const contact = { action: { kind: 'contact', contactId: 'c'.repeat(24) } }
  const program = parley.signInProgram(ann.workspaceId, ['conversations:assign'])
  expect((await program.call('POST', path, contact)).body.code).toBe('not_published')
  await ann.ask('POST', `/api/workflows/${id}/publish`, { version: 1, start: true })
  const job = await program.ask('POST', path, contact)
  expect(job).toMatchObject({ workflowId: id, task: 'start', total: 1, startedBy: null })
  expect(await program.ask('GET', `/api/flow-jobs/${job.id}`)).toMatchObject({ id: job.id })
  const segment = { action: { kind: 'segment', segmentId: 'all' } }
  expect((await program.call('POST', path, segment)).status).toBe(403)
  expect((await program.call('POST', `/api/workflows/${id}/publish`, { version: 2 })).status).toBe(401)
  const reader = parley.signInProgram(ann.workspaceId, ['contacts:read'])
  expect((await reader.call('POST', path, contact)).status).toBe(403)
  const limited = parley.signInProgram(ann.workspaceId, ['conversations:assign'], ['d'.repeat(24)])
  const stranger = parley.signInProgram(parley.signIn().workspaceId, ['conversations:assign'])
  for (const other of [limited, stranger])
    expect([
      (await other.call('POST', path, contact)).status,
      (await other.call('GET', `/api/flow-jobs/${job.id}`)).status,
    ]).toEqual([404, 404])
})

test('an address is made, shown once, called without a token, and refused while its workflow is deleted', async () => {
  const ann = parley.signIn()
  const byCall = flowOf(
    { kind: 'hook', contact: { by: 'phone', pointer: '/phone' } },
    { kind: 'add_tag', tag: 'called' },
  )
  const { id } = await named(ann, 'By call', byCall)
  const path = `/api/workflows/${id}/hooks`
  const made = await ann.ask('PUT', `${path}/n0`)
  const { token, ...shown } = made
  expect(await ann.ask('GET', path)).toEqual({ items: [shown] })
  expect(shown).toMatchObject({ nodeId: 'n0', last4: token.slice(-4), lastCallAt: null })
  const post = async (to: string, body: string) => {
    const answer = await fetch(`${parley.server.url}/v1/hooks/${to}`, { method: 'POST', body })
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  expect(await post(token, '{}')).toEqual([409, 'wrong_state'])
  await ann.ask('POST', `/api/workflows/${id}/publish`, { version: 1, start: true })
  expect(await post(token, '{')).toEqual([400, 'malformed_json'])
  expect(await post(token, JSON.stringify({ phone: '+919812340000' }))).toEqual([400, 'validation_failed'])
  expect(await post(token, 'x'.repeat(70_000))).toEqual([413, 'body_too_large'])
  expect(await post(`${token}x`, '{}')).toEqual([404, 'not_found'])
  const { items } = await ann.ask('GET', `${path}/n0/calls`)
  expect(items.map(({ result }: { result: string }) => result)).toEqual(['refused', 'refused', 'refused'])
  const stranger = parley.signIn()
  expect((await stranger.call('DELETE', `${path}/n0`)).status).toBe(404)
  await ann.ask('DELETE', `/api/workflows/${id}`)
  expect(await post(token, '{}')).toEqual([409, 'wrong_state'])
  await ann.ask('POST', `/api/workflows/${id}/restore`)
  expect(await ann.ask('GET', path)).toMatchObject({ items: [{ nodeId: 'n0', last4: shown.last4 }] })
})

const byClock = (more: object = {}) =>
  flowOf(
    {
      kind: 'schedule',
      repeat: { every: 'week', days: [1, 4] },
      time: '09:00',
      timeZone: 'Asia/Kathmandu',
      segmentId: 'all',
      ...more,
    },
    { kind: 'add_tag', tag: 'seen' },
  )

test('a workflow with a schedule says when it starts next, while it is active; the time is its members’ own', async () => {
  const ann = parley.signIn()
  const { id } = await named(ann, 'By the clock', byClock())
  const path = `/api/workflows/${id}`
  expect(await ann.ask('GET', path)).not.toHaveProperty('nextStartAt')
  const { version } = await ann.ask('PATCH', path, { version: 1, reEnrolment: 'always' })
  const { workflow } = await ann.ask('POST', `${path}/publish`, { version, start: true })
  const next = new Date(workflow.nextStartAt)
  expect(next.getTime()).toBeGreaterThan(Date.now())
  expect([next.toISOString().slice(11, 16), [1, 4].includes(next.getUTCDay())]).toEqual(['03:15', true])
  expect((await ann.ask('GET', '/api/workflows')).items).toMatchObject([{ nextStartAt: workflow.nextStartAt }])
  const bob = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  expect((await bob.call('POST', `${path}/publish`, { version: 3 })).status).toBe(403)
  expect((await parley.signIn().call('GET', path)).status).toBe(404)
  expect(await ann.ask('POST', `${path}/pause`, {})).not.toHaveProperty('nextStartAt')
  expect(await ann.ask('POST', `${path}/start`, {})).toHaveProperty('nextStartAt', workflow.nextStartAt)
  await ann.ask('DELETE', path)
  const { connection } = parley.database
  expect(
    await connection
      .collection('schedules')
      .countDocuments({ flowId: connection.base.Types.ObjectId.createFromHexString(id) }),
  ).toBe(0)
})

test('a schedule that is over, in an unknown zone, without days, or for a segment that is gone is not published', async () => {
  const ann = parley.signIn()
  const codes = async (more: object) => {
    const { id } = await named(ann, 'Checked', byClock(more))
    const { problems } = await ann.ask('POST', `/api/workflows/${id}/check`, {})
    return problems.map(({ code, severity }: { code: string; severity: string }) => `${severity} ${code}`)
  }
  expect(await codes({})).toEqual(['warning starts_once'])
  expect(await codes({ repeat: { every: 'once', date: '2020-01-01' } })).toEqual(['critical schedule_over'])
  expect(await codes({ segmentId: 'gone' })).toEqual(['critical unknown_segment', 'warning starts_once'])
  expect(await codes({ timeZone: 'Mars/Base' })).toEqual(['critical settings'])
  expect(await codes({ repeat: { every: 'week', days: [] } })).toEqual(['critical settings'])
  const bot = await ann.ask('POST', '/api/bots', { name: 'Bot', draft: byClock() })
  const { problems } = await ann.ask('POST', `/api/bots/${bot.id}/check`, {})
  expect(problems.map(({ code }: { code: string }) => code)).toContain('not_runnable')
})

test('a workspace has at most 100 workflows, beside its bots', async () => {
  const ann = parley.signIn()
  await Promise.all(Array.from({ length: 100 }, (_, index) => named(ann, `Number ${index}`)))
  const refused = await ann.call('POST', '/api/workflows', { name: 'One more' })
  expect(refused.body).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('100 workflows') })
  await ann.ask('POST', '/api/bots', { name: 'A bot' })
})

test('every read of workflows and their runs has an index', async () => {
  const ann = parley.signIn()
  await expectIndexed(parley.database.connection, async () => {
    const { id } = await named(ann, 'Indexed')
    await ann.ask('POST', `/api/workflows/${id}/publish`, { version: 1, start: true })
    await ann.ask('GET', '/api/workflows?q=ind&status=active')
    await ann.ask('GET', '/api/workflows/summary')
    await ann.ask('GET', `/api/workflows/${id}/runs?show=live`)
    await ann.ask('GET', `/api/workflows/${id}/runs?show=held`)
    await ann.ask('GET', `/api/workflows/${id}/runs?show=ended&outcome=failed`)
    await ann.ask('GET', `/api/workflows/${id}/hooks`)
    await ann.ask('GET', `/api/workflows/${id}/hooks/n0/calls`)
    await ann.ask('GET', `/api/attention?workflow=${id}&state=open`)
  })
})

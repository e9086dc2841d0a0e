import type { PublishProblem } from '@parley/contracts/automation/publication'
import { beforeAll, expect, test } from 'vitest'
import { flowOf, keyword, say, soundFlow, soundWorkflow, toPeople } from './flow-fixtures.ts'
import { joinAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof joinAutomation>>
beforeAll(async () => {
  parley = await joinAutomation()
})
type Person = ReturnType<typeof parley.signIn>

const person = { name: 'Asha Rao', phone: '+919876543210', tags: [], attributes: {} }
const written = (text: string) => ({ type: 'message', parts: [{ contentType: 'text', text }] })
const script = (...lines: object[]) => ({ at: Date.UTC(2026, 2, 9, 10), person, lines })
const greeting = (text: string) => flowOf(keyword('hi'), say(text), toPeople)

async function record(ann: Person, draft: object, name = 'Greeting', lines: object[] = [written('hi')]) {
  const { id } = await ann.ask('POST', '/api/bots', { name: 'Tested', draft })
  const path = `/api/bots/${id}`
  return { path, test: await ann.ask('POST', `${path}/tests`, { name, script: script(...lines) }) }
}
const run = async (ann: Person, path: string, draft?: object) =>
  (await ann.ask('POST', `${path}/tests/run`, draft ? { draft } : {})).results

test('a test keeps what the draft answers; a change of that turns it red, a change of places and names does not', async () => {
  const ann = parley.signIn()
  const { path, test } = await record(ann, greeting('Hello {{first_name}}!'))
  const { expected } = await ann.ask('GET', `${path}/tests/${test.id}`)
  expect(expected.map(({ by, text }: { by: string; text: string }) => [by, text])).toEqual([
    ['customer', 'hi'],
    ['bot', 'Hello Asha!'],
    ['bot', 'Assigned to the queue'],
    ['bot', 'Note: Last message: hi'],
    ['end', 'handed_over'],
  ])
  expect(await run(ann, path)).toMatchObject([{ testId: test.id, passed: true }])
  const renamed = JSON.parse(JSON.stringify(greeting('Hello {{first_name}}!')).replaceAll('"n1"', '"other"'))
  expect(await run(ann, path, renamed)).toMatchObject([{ passed: true }])
  expect(await run(ann, path, greeting('Good day!'))).toMatchObject([
    { passed: false, difference: { index: 1, expected: { text: 'Hello Asha!' }, found: { text: 'Good day!' } } },
  ])
})

test('a red test refuses publication with its sentence, until the flow is repaired or the answer accepted', async () => {
  const ann = parley.signIn()
  const { path, test } = await record(ann, greeting('Hello!'))
  const broken = await ann.ask('PATCH', path, { version: 1, draft: greeting('Helo!') })
  const { problems } = await ann.ask('POST', `${path}/check`, {})
  const sentence = 'The test “Greeting” fails: instead of “Hello!” comes “Helo!”.'
  expect(problems).toContainEqual({ code: 'test_failed', severity: 'critical', nodeId: 'n1', sentence })
  const refused = await ann.call('POST', `${path}/publish`, { version: broken.version, accept: ['test_failed'] })
  expect(refused.body).toMatchObject({ code: 'tests_failed', fields: { 'test_failed:n1': sentence } })
  const repaired = await ann.ask('PATCH', path, { version: broken.version, draft: greeting('Hello!') })
  const first = await ann.ask('POST', `${path}/publish`, { version: repaired.version })
  const other = await ann.ask('PATCH', path, { version: first.bot.version, draft: greeting('Good day!') })
  await ann.ask('PATCH', `${path}/tests/${test.id}`, { version: test.version, accept: true })
  expect((await ann.call('POST', `${path}/publish`, { version: other.version })).body).toMatchObject({ number: 2 })
})

test('a test that is younger than the version which is published again may be accepted', async () => {
  const ann = parley.signIn()
  const { id } = await ann.ask('POST', '/api/bots', { name: 'Back', draft: greeting('One') })
  const path = `/api/bots/${id}`
  const one = await ann.ask('POST', `${path}/publish`, { version: 1 })
  const saved = await ann.ask('PATCH', path, { version: one.bot.version, draft: greeting('Two') })
  const two = await ann.ask('POST', `${path}/publish`, { version: saved.version })
  await ann.ask('POST', `${path}/tests`, { name: 'Young', script: script(written('hi')) })
  const body = { version: two.bot.version }
  const { problems } = await ann.ask('POST', `${path}/check`, { number: 1 })
  expect(problems).toMatchObject([{ code: 'test_failed', severity: 'warning' }])
  expect((await ann.call('POST', `${path}/versions/1/restore`, body)).body.code).toBe('warnings_open')
  const accept = problems.map(({ code, nodeId }: PublishProblem) => (nodeId ? `${code}:${nodeId}` : code))
  expect((await ann.call('POST', `${path}/versions/1/restore`, { ...body, accept })).body).toMatchObject({ number: 3 })
})

test('a workflow is tested by its events', async () => {
  const ann = parley.signIn()
  const { id } = await ann.ask('POST', '/api/workflows', { name: 'Tags', draft: soundWorkflow('vip') })
  const lines = [{ type: 'event', event: 'contact.tag_added', fields: { 'event.tag': 'vip' } }]
  const path = `/api/workflows/${id}`
  const test = await ann.ask('POST', `${path}/tests`, { name: 'Vip', script: script(...lines) })
  expect(await run(ann, path)).toMatchObject([{ testId: test.id, passed: true }])
  expect(await run(ann, path, soundWorkflow('gold'))).toMatchObject([
    { passed: false, difference: { found: { by: 'passed', text: 'no_trigger' } } },
  ])
})

test('a fiftieth test is kept and a fifty-first refused, whoever is faster', async () => {
  const ann = parley.signIn()
  const { path } = await record(ann, greeting('Hello!'))
  for (let n = 2; n < 50; n += 1)
    await ann.ask('POST', `${path}/tests`, { name: `Test ${n}`, script: script(written('hi')) })
  const last = () => ann.call('POST', `${path}/tests`, { name: 'Last', script: script(written('hi')) })
  const answers = await Promise.all([last(), last(), last()])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(answers.filter(({ body }) => body.code === 'limit_reached')).toHaveLength(2)
  expect((await ann.ask('GET', `${path}/tests`)).items).toHaveLength(50)
  expect(await run(ann, path)).toHaveLength(50)
})

test('a flow that goes round in short waits is played to a bound, and refused as a test', async () => {
  const ann = parley.signIn()
  // One that also sends is stopped by what may leave in a minute.
  const pause = { kind: 'wait_time', seconds: 1 } as const
  const flow = flowOf(keyword('hi'), pause, pause)
  const circle = { ...flow, edges: [...flow.edges, { id: 'back', source: 'n2', target: 'n1', branch: 'next' }] }
  const { id } = await ann.ask('POST', '/api/bots', { name: 'Round', draft: circle })
  const lines = [written('hi'), { type: 'wait', seconds: 60 * 86_400 }]
  const refused = await ann.call('POST', `/api/bots/${id}/tests`, { name: 'Endless', script: script(...lines) })
  expect(refused.body.code).toBe('limit_reached')
})

test('of two people who change a test at once one is told what there is now', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ workspaceId: ann.workspaceId })
  const { path, test } = await record(ann, greeting('Hello!'))
  const rename = (who: Person, name: string) =>
    who.call('PATCH', `${path}/tests/${test.id}`, { name, version: test.version })
  const answers = await Promise.all([rename(ann, 'Ann’s'), rename(bob, 'Bob’s')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const lost = answers.find(({ status }) => status === 409)
  expect(lost?.body).toMatchObject({ code: 'stale_version', current: { id: test.id, version: 2 } })
})

test('a test belongs to its flow and workspace, and is deleted', async () => {
  const [ann, mallory] = [parley.signIn(), parley.signIn()]
  const { path, test } = await record(ann, greeting('Hello!'))
  const own = await record(mallory, soundFlow('hi'))
  for (const address of [`${own.path}/tests/${test.id}`, `${path}/tests/${test.id}`]) {
    expect((await mallory.call('GET', address)).status).toBe(404)
    expect((await mallory.call('PATCH', address, { name: 'Mine', version: 1 })).status).toBe(404)
    expect((await mallory.call('DELETE', address)).status).toBe(404)
  }
  const other = await record(ann, greeting('Hello!'))
  expect((await ann.call('GET', `${other.path}/tests/${test.id}`)).status).toBe(404)
  await ann.ask('DELETE', `${path}/tests/${test.id}`)
  expect(await ann.ask('GET', `${path}/tests`)).toEqual({ items: [] })
})

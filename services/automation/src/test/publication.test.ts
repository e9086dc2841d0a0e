import type { PublishProblem } from '@parley/contracts/automation/publication'
import { Types } from 'mongoose'
import { beforeAll, expect, test, vi } from 'vitest'
import { flowOf, keyword, say, soundFlow, toPeople } from './flow-fixtures.ts'
import { startAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof startAutomation>>
beforeAll(async () => {
  parley = await startAutomation({ worker: true, kept: 'file' })
  return parley.stop
})

type Person = ReturnType<typeof parley.signIn>
const id = () => new Types.ObjectId().toHexString()

async function make(person: Person, name: string, draft: object, change: object = {}) {
  const bot = await person.ask('POST', '/api/bots', { name, draft })
  return Object.keys(change).length > 0 ? person.ask('PATCH', `/api/bots/${bot.id}`, { version: 1, ...change }) : bot
}
const publish = (person: Person, bot: { id: string; version: number }, more: object = {}) =>
  person.call('POST', `/api/bots/${bot.id}/publish`, { version: bot.version, ...more })
const lastTold = ({ workspaceId }: Person) => parley.others.of(workspaceId).told.at(-1)

test('a draft becomes version 1, and a later one version 2; each stays readable as it was', async () => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Versions', soundFlow('hi'))
  const first = await publish(ann, bot, { note: 'The first' })
  expect(first.body).toMatchObject({ number: 1, bot: { status: 'paused', publishedVersion: 1 }, moved: 0, ended: 0 })
  const next = soundFlow('hi', 'hello')
  const edited = await ann.ask('PATCH', `/api/bots/${bot.id}`, { version: first.body.bot.version, draft: next })
  expect((await publish(ann, edited)).body).toMatchObject({ number: 2 })
  const { items } = await ann.ask('GET', `/api/bots/${bot.id}/versions`)
  expect(items).toMatchObject([{ number: 2 }, { number: 1, note: 'The first', publishedBy: ann.userId }])
  expect((await ann.ask('GET', `/api/bots/${bot.id}/versions/1`)).flow).toEqual(bot.draft)
  expect((await ann.ask('GET', `/api/bots/${bot.id}/versions/2`)).flow).toEqual(next)
  expect((await ann.call('GET', `/api/bots/${bot.id}/versions/3`)).status).toBe(404)
})

test('of two people who publish at once one publishes, and the other is told what there is now', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ workspaceId: ann.workspaceId })
  const bot = await make(ann, 'Twice', soundFlow('twice'))
  const answers = await Promise.all([publish(ann, bot), publish(bob, bot)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const lost = answers.find(({ status }) => status === 409)
  expect(lost?.body).toMatchObject({ code: 'stale_version', current: { publishedVersion: 1 } })
  expect((await ann.ask('GET', `/api/bots/${bot.id}/versions`)).items).toHaveLength(1)
})

test('a draft that somebody has saved since is not published unseen', async () => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Unseen', soundFlow('unseen'))
  await ann.ask('PATCH', `/api/bots/${bot.id}`, { version: 1, draft: soundFlow('else') })
  expect((await publish(ann, bot)).body.code).toBe('stale_version')
})

test('a warning has to be accepted, by its code or at its node', async () => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Warned', flowOf(keyword('warn'), say('Hello!')))
  const { problems } = await ann.ask('POST', `/api/bots/${bot.id}/check`, {})
  expect(problems.map(({ severity }: PublishProblem) => severity)).toContain('warning')
  const refused = await publish(ann, bot)
  expect(refused.body).toMatchObject({ code: 'warnings_open' })
  expect(Object.keys(refused.body.fields)).toHaveLength(problems.length)
  const accept = problems.map(({ code, nodeId }: PublishProblem) => (nodeId ? `${code}:${nodeId}` : code))
  expect((await publish(ann, bot, { accept: accept.slice(1) })).status).toBe(409)
  expect((await publish(ann, bot, { accept })).status).toBe(200)
})

test.each([
  ['nodes of a kind that nobody knows', flowOf(keyword('x'), { kind: 'teleport' }, toPeople), 'settings'],
  ['a circle that never waits', circle(), 'endless_cycle'],
  ['no trigger', flowOf(say('Nobody starts me'), toPeople), 'no_trigger'],
  ['a template that was deleted', flowOf(keyword('x'), template(), toPeople), 'unknown_template'],
  [
    'a member who has left',
    flowOf(keyword('x'), { kind: 'assign', to: { kind: 'member', memberId: id() } }),
    'unknown_member',
  ],
  ['a word of consent as keyword', soundFlow('stop'), 'consent_word'],
  ['more keywords than a workspace may have', manyKeywords(), 'too_many_keywords'],
  ['a bot that does not exist', flowOf(keyword('x'), { kind: 'go_to_bot', botId: id() }, toPeople), 'unknown_bot'],
])('%s: nothing is published, and the sentence says why', async (_what, draft, code) => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Broken', draft)
  const { problems } = await ann.ask('POST', `/api/bots/${bot.id}/check`, {})
  const problem = problems.find((one: PublishProblem) => one.code === code)
  expect(problem).toMatchObject({ severity: 'critical', sentence: expect.stringMatching(/\w.*[.]$/) })
  const refused = await publish(ann, bot, { accept: problems.map((one: PublishProblem) => one.code) })
  expect(refused.body.code).toBe('invalid_flow')
  expect(Object.values(refused.body.fields)).toContain(problem.sentence)
  expect(await ann.ask('GET', `/api/bots/${bot.id}`)).not.toHaveProperty('publishedVersion')
})

function template() {
  return { kind: 'send_template', templateId: id(), variables: {} }
}

function manyKeywords() {
  const nodes = Array.from({ length: 21 }, (_, n) => keyword(...Array.from({ length: 50 }, (_, k) => `w${50 * n + k}`)))
  return flowOf(...nodes)
}

function circle() {
  const flow = flowOf(keyword('round'), say('one'), say('two'))
  return { ...flow, edges: [...flow.edges, { id: 'back', source: 'n2', target: 'n1', branch: 'next' }] }
}

test('templates, members and numbers are looked up as they are now', async () => {
  const ann = parley.signIn()
  const world = parley.others.of(ann.workspaceId)
  const [templateId, memberId, numberId] = [id(), id(), id()]
  world.templates.push({ id: templateId, name: 'order_update', status: 'approved', placeholders: ['1'] })
  world.members.push({ id: memberId, name: 'Bo', role: 'agent', active: true })
  world.numbers.push({ id: numberId, name: 'Shop', businessAccountId: '1' })
  const assign = { kind: 'assign', to: { kind: 'member', memberId } }
  const draft = flowOf(keyword('order'), { kind: 'send_template', templateId, variables: { 1: 'x' } }, assign)
  const bot = await make(ann, 'Real', draft, { numberIds: [numberId], settings: { failureTo: assign.to } })
  const published = await publish(ann, bot)
  expect([published.status, published.body.code]).toEqual([200, undefined])
  world.templates.splice(0, 1, { id: templateId, name: 'order_update', status: 'paused', placeholders: ['1'] })
  world.members.splice(0, 1, { id: memberId, name: 'Bo', role: 'agent', active: false })
  world.numbers.splice(0, 1)
  const { problems } = await ann.ask('POST', `/api/bots/${bot.id}/check`, {})
  expect(problems.map(({ code }: PublishProblem) => code)).toEqual(
    expect.arrayContaining(['template_not_approved', 'unknown_member', 'unknown_number', 'unknown_failure_member']),
  )
})

test('without messaging nothing is published and nothing is lost', async () => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Away', soundFlow('away'))
  parley.others.away(true)
  try {
    expect((await publish(ann, bot)).body.code).toBe('service_unavailable')
  } finally {
    parley.others.away(false)
  }
  expect((await publish(ann, bot)).status).toBe(200)
})

test('a keyword belongs to one active bot, whatever its case and width; pausing that bot frees it', async () => {
  const ann = parley.signIn()
  const first = await make(ann, 'First', soundFlow('Price  List'))
  const second = await make(ann, 'Second', soundFlow('ｐｒｉｃｅ list'))
  expect((await publish(ann, first, { start: true })).status).toBe(200)
  const refused = await publish(ann, second, { start: true })
  expect(refused.body).toMatchObject({
    code: 'keyword_taken',
    message: expect.stringContaining('First'),
    existing: { id: first.id, name: 'First' },
  })
  await ann.ask('POST', `/api/bots/${first.id}/pause`, {})
  expect((await publish(ann, second, { start: true })).status).toBe(200)
  expect((await ann.call('POST', `/api/bots/${first.id}/start`)).body).toMatchObject({
    code: 'keyword_taken',
    existing: { name: 'Second' },
  })
  expect(await ann.ask('GET', `/api/bots/${first.id}`)).toMatchObject({ status: 'paused' })
})

test('at two numbers two bots may have one keyword; one that listens everywhere is in the way of both', async () => {
  const ann = parley.signIn()
  const numbers = [id(), id()]
  for (const number of numbers)
    parley.others.of(ann.workspaceId).numbers.push({ id: number, name: 'Shop', businessAccountId: '1' })
  const start = async (name: string, numberIds: readonly string[]) =>
    publish(ann, await make(ann, name, flowOf({ kind: 'any_message' }, say('Hi'), toPeople), { numberIds }), {
      start: true,
    })
  expect((await start('North', numbers.slice(0, 1))).status).toBe(200)
  const south = await start('South', numbers.slice(1))
  expect(south.status).toBe(200)
  expect((await start('Everywhere', [])).body).toMatchObject({ code: 'keyword_taken' })
  const moved = await ann.call('PATCH', `/api/bots/${south.body.bot.id}`, {
    version: south.body.bot.version,
    numberIds: numbers,
  })
  expect(moved.body).toMatchObject({ code: 'keyword_taken', existing: { name: 'North' } })
  expect(lastTold(ann)?.numberIds?.toSorted()).toEqual(numbers.toSorted())
})

test('words of consent of the workspace are no keywords, and those that mean something else there are', async () => {
  const ann = parley.signIn()
  parley.others.of(ann.workspaceId).consentWords = { stop: ['ENOUGH'], stopAll: [], start: [], ignored: ['stop'] }
  const problemsOf = async (word: string) => {
    const bot = await make(ann, word, soundFlow(word))
    const { problems } = await ann.ask('POST', `/api/bots/${bot.id}/check`, {})
    return problems.filter(({ code }: PublishProblem) => code === 'consent_word')
  }
  expect(await problemsOf('enough')).toMatchObject([
    { severity: 'critical', sentence: '“enough” changes a customer’s consent: it starts no bot.' },
  ])
  expect(await problemsOf('stop')).toEqual([])
})

test('of 100 bots that are published with one keyword at once, one has it', async () => {
  const ann = parley.signIn()
  const bots = await Promise.all(Array.from({ length: 100 }, (_, n) => make(ann, `Rival ${n}`, soundFlow('sale'))))
  // Conflicts use up a request's attempts on a busy machine: whoever is asked to try again does.
  const publishAtLast = async (bot: (typeof bots)[number]): Promise<Awaited<ReturnType<typeof publish>>> => {
    const answer = await publish(ann, bot, { start: true })
    return answer.body.code === 'service_unavailable' ? publishAtLast(bot) : answer
  }
  const answers = await Promise.all(bots.map(publishAtLast))
  const codes = Map.groupBy(answers, ({ status, body }) => (status === 200 ? 'published' : body.code))
  expect(Object.fromEntries([...codes].map(([code, all]) => [code, all.length]))).toEqual({
    published: 1,
    keyword_taken: 99,
  })
  const active = await ann.ask('GET', '/api/bots?status=active')
  expect(active.items).toHaveLength(1)
  const rows = await parley.database.connection
    .collection('triggers')
    .countDocuments({ workspaceId: new Types.ObjectId(ann.workspaceId) })
  expect(rows).toBe(1)
})

test('active bots have at most 1,000 keywords together', async () => {
  const ann = parley.signIn()
  const words = (from: number, count: number) => {
    const nodes = Array.from({ length: Math.ceil(count / 50) }, (_, n) =>
      keyword(...Array.from({ length: Math.min(50, count - 50 * n) }, (_, k) => `w${from + 50 * n + k}`)),
    )
    const flow = flowOf(...nodes, say('Hi'), toPeople)
    const last = nodes.length
    const edges = nodes.map((_, n) => ({ id: `t${n}`, source: `n${n}`, target: `n${last}`, branch: 'next' }))
    return { ...flow, edges: [...edges, { id: 'end', source: `n${last}`, target: `n${last + 1}`, branch: 'next' }] }
  }
  const accept = ['keyword_within']
  expect((await publish(ann, await make(ann, 'Many', words(1000, 990)), { start: true, accept })).status).toBe(200)
  const more = await publish(ann, await make(ann, 'More', words(5000, 11)), { start: true, accept })
  expect(more.body).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('1,000') })
  expect((await publish(ann, await make(ann, 'Fits', words(6000, 10)), { start: true, accept })).status).toBe(200)
})

test('messaging is told where bots are active, as soon as it answers again', async () => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Told', soundFlow('told'))
  const published = await publish(ann, bot)
  expect(published.status).toBe(200)
  parley.others.away(true)
  await ann.ask('POST', `/api/bots/${bot.id}/start`)
  expect(lastTold(ann)?.active).not.toBe(true)
  parley.others.away(false)
  await vi.waitFor(() => expect(lastTold(ann)).toMatchObject({ active: true }), { timeout: 120_000, interval: 100 })
  expect(lastTold(ann)).not.toHaveProperty('numberIds')
  await ann.ask('POST', `/api/bots/${bot.id}/pause`, {})
  // A session may just have begun: that nothing runs is told a minute later.
  expect(lastTold(ann)).toMatchObject({ active: true, numberIds: [] })
  const past = new Date(Date.now() - 61_000)
  await parley.database.connection
    .collection('routing')
    .updateOne({ workspaceId: new Types.ObjectId(ann.workspaceId) }, { $set: { releasedAt: past, tellAt: past } })
  await vi.waitFor(() => expect(lastTold(ann)).toMatchObject({ active: false, numberIds: [] }), { timeout: 120_000 })
  const versions = parley.others.of(ann.workspaceId).told.map(({ routingVersion }) => routingVersion)
  expect(versions).toEqual(versions.toSorted((left, right) => left - right))
})

test('a bot to which another goes on is not deleted under it', async () => {
  const ann = parley.signIn()
  const target = await make(ann, 'Target', soundFlow('target'))
  const draft = flowOf(keyword('go'), { kind: 'go_to_bot', botId: target.id })
  const source = await make(ann, 'Source', draft)
  expect((await publish(ann, source)).body.fields).toMatchObject({ 'bot_not_published:n1': expect.any(String) })
  await publish(ann, target)
  const accept = ['never_hands_over', 'dead_end']
  expect((await publish(ann, source, { accept })).status).toBe(200)
  expect((await ann.call('DELETE', `/api/bots/${target.id}`)).body).toMatchObject({
    code: 'in_use',
    existing: { name: 'Source' },
  })
  await ann.ask('DELETE', `/api/bots/${source.id}`)
  expect((await ann.call('DELETE', `/api/bots/${target.id}`)).status).toBe(204)
})

test('a deleted bot starts nothing, and is forgotten with its flows once its 30 days are over', async () => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Old', soundFlow('old'))
  await publish(ann, bot, { start: true })
  await ann.ask('DELETE', `/api/bots/${bot.id}`)
  const { connection } = parley.database
  const ofBot = { flowId: new Types.ObjectId(String(bot.id)) }
  expect(await connection.collection('triggers').countDocuments(ofBot)).toBe(0)
  expect(await connection.collection('flows').countDocuments(ofBot)).toBe(2)
  const long = new Date(Date.now() - 31 * 86_400_000)
  await connection.collection('bots').updateOne({ _id: ofBot.flowId }, { $set: { deletedAt: long } })
  await expect.poll(() => connection.collection('bots').countDocuments({ _id: ofBot.flowId })).toBe(0)
  expect(await connection.collection('flows').countDocuments(ofBot)).toBe(0)
  expect(await connection.collection('flowVersions').countDocuments(ofBot)).toBe(0)
  expect((await ann.call('POST', `/api/bots/${bot.id}/restore`)).status).toBe(404)
})

test('a bot that was never published does not start', async () => {
  const ann = parley.signIn()
  const bot = await make(ann, 'Unborn', soundFlow('unborn'))
  expect((await ann.call('POST', `/api/bots/${bot.id}/start`)).body.code).toBe('not_published')
  expect(await ann.ask('GET', `/api/bots/${bot.id}`)).toMatchObject({ status: 'paused' })
})

import { botsApi } from '@parley/contracts/automation/bots'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { flowOf, keyword, say, soundFlow } from './flow-fixtures.ts'
import { joinAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof joinAutomation>>
beforeAll(async () => {
  parley = await joinAutomation()
})

const named = async (owner: ReturnType<typeof parley.signIn>, name: string, draft?: object) =>
  owner.ask('POST', '/api/bots', { name, ...(draft && { draft }) })

test('a bot begins paused with an empty flow and the settings of all, and is read back as it was saved', async () => {
  const ann = parley.signIn()
  const bot = await named(ann, '  Booking ')
  expect(bot).toMatchObject({
    name: 'Booking',
    status: 'paused',
    draft: { format: 2, nodes: [], edges: [] },
    settings: { collectSeconds: 1.5, idleHours: 23, failureTo: { kind: 'queue' } },
    unpublishedChanges: true,
    running: 0,
    version: 1,
  })
  const draft = flowOf(keyword('hi'), say('Hello {{first_name}}'), {
    kind: 'send_template',
    templateId: 't',
    // Names with a meaning of their own for the database.
    variables: { 'a.b': '1', $set: '2', '': '3' },
  })
  const saved = await ann.ask('PATCH', `/api/bots/${bot.id}`, {
    version: 1,
    draft,
    numberIds: [new Types.ObjectId().toHexString()],
    settings: { idleHours: 2 },
  })
  expect(saved).toMatchObject({ version: 2, draft, settings: { collectSeconds: 1.5, idleHours: 2 } })
  expect(await ann.ask('GET', `/api/bots/${bot.id}`)).toEqual(saved)
})

test('of two tabs that save, the second is told what the first has saved', async () => {
  const ann = parley.signIn()
  const bot = await named(ann, 'Two tabs')
  const save = (text: string) =>
    ann.call('PATCH', `/api/bots/${bot.id}`, { version: bot.version, draft: flowOf(keyword('hi'), say(text)) })
  const answers = await Promise.all([save('first'), save('second')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [won, lost] = answers.sort((left, right) => left.status - right.status)
  expect(lost?.body.code).toBe('stale_version')
  expect(botsApi.read.response.parse(lost?.body.current).draft).toEqual(won?.body.draft)
  expect((await ann.ask('GET', `/api/bots/${bot.id}`)).draft).toEqual(won?.body.draft)
})

test('after each change, open pages are told to read the bot again', async () => {
  const ann = parley.signIn()
  const redis = new Redis(parley.redisUrl)
  const told = async () =>
    (await redis.xrange(`events:{${ann.workspaceId}}`, '-', '+')).flatMap(([, fields]) => fields).join('\n')
  const count = async (hint: object) =>
    (await told()).split(JSON.stringify({ event: 'automation', data: hint })).length - 1
  const bot = await named(ann, 'Told', soundFlow('told'))
  const path = `/api/bots/${bot.id}`
  let version = bot.version
  const changes = [
    async () => ann.ask('PATCH', path, { version, name: 'Told of' }),
    async () => (await ann.ask('POST', `${path}/publish`, { version, start: true })).bot,
    // A bot that is active changes in the routing table as well.
    async () => ann.ask('PATCH', path, { version, numberIds: [new Types.ObjectId().toHexString()] }),
    async () => ann.ask('POST', `${path}/pause`, {}),
    async () => ann.ask('POST', `${path}/start`),
    async () => {
      await ann.call('DELETE', path)
      return ann.ask('POST', `${path}/restore`)
    },
  ]
  await expect.poll(() => count({ kind: 'bot', id: bot.id })).toBe(1)
  for (const change of changes) {
    const before = await count({ kind: 'bot', id: bot.id })
    version = (await change()).version
    await expect.poll(() => count({ kind: 'bot', id: bot.id })).toBeGreaterThan(before)
  }
  const before = await count({ kind: 'bot' })
  await ann.ask('PATCH', '/api/automation/settings', { version: 0, handOverWords: ['person'] })
  await expect.poll(() => count({ kind: 'bot' })).toBeGreaterThan(before)
  redis.disconnect()
})

test('moving nodes about is no change of the flow; another text is one', async () => {
  const ann = parley.signIn()
  const draft = soundFlow('where')
  const bot = await named(ann, 'Places', draft)
  const path = `/api/bots/${bot.id}`
  const published = await ann.ask('POST', `${path}/publish`, { version: bot.version })
  expect(published.bot.unpublishedChanges).toBe(false)
  const moved = {
    ...draft,
    nodes: draft.nodes.toReversed().map((node) => ({ ...node, position: { x: 7, y: 7 } })),
    edges: draft.edges.map((edge) => ({ ...edge, id: `other-${edge.id}` })),
  }
  const after = await ann.ask('PATCH', path, { version: published.bot.version, draft: moved })
  expect(after.unpublishedChanges).toBe(false)
  const changed = await ann.ask('PATCH', path, {
    version: after.version,
    draft: flowOf(keyword('where'), say('Other')),
  })
  expect(changed.unpublishedChanges).toBe(true)
})

test('lists have no flows, go by name in pages, and find a part of it', async () => {
  const ann = parley.signIn()
  for (const name of ['Émile', 'alpha', 'Beta (2)', 'gamma']) await named(ann, name, soundFlow(name))
  const first = botsApi.list.response.parse(await ann.ask('GET', '/api/bots?limit=3'))
  expect(first.items.map(({ name }) => name)).toEqual(['alpha', 'Beta (2)', 'Émile'])
  expect(first).toMatchObject({ total: 4 })
  expect(JSON.stringify(first)).not.toContain('nodes')
  const second = await ann.ask('GET', `/api/bots?limit=3&cursor=${first.nextCursor}`)
  expect(second.items.map(({ name }: { name: string }) => name)).toEqual(['gamma'])
  const found = await ann.ask('GET', `/api/bots?q=${encodeURIComponent('(2')}`)
  expect(found.items.map(({ name }: { name: string }) => name)).toEqual(['Beta (2)'])
  expect((await ann.ask('GET', '/api/bots?status=active')).items).toEqual([])
  await expectIndexed(parley.database.connection, () => ann.ask('GET', '/api/bots?limit=1'), { fewSorted: true })
})

test('a copy has draft, numbers and settings, and runs by itself only when somebody publishes it', async () => {
  const ann = parley.signIn()
  const bot = await named(ann, 'n'.repeat(80), soundFlow('copied'))
  await ann.ask('PATCH', `/api/bots/${bot.id}`, { version: 1, settings: { handOverText: 'One moment.' } })
  await ann.ask('POST', `/api/bots/${bot.id}/publish`, { version: 2, start: true })
  const copy = await ann.ask('POST', `/api/bots/${bot.id}/duplicate`, {})
  expect(copy).toMatchObject({ status: 'paused', draft: bot.draft, settings: { handOverText: 'One moment.' } })
  expect(copy.name).toBe(`${'n'.repeat(73)} (copy)`)
  expect(copy).not.toHaveProperty('publishedVersion')
  expect((await ann.ask('POST', `/api/bots/${bot.id}/duplicate`, { name: 'Mine' })).name).toBe('Mine')
})

test('a deleted bot is gone from lists and calls, comes back paused, and is forgotten after 30 days', async () => {
  const ann = parley.signIn()
  const bot = await named(ann, 'Gone', soundFlow('gone'))
  const path = `/api/bots/${bot.id}`
  await ann.ask('POST', `${path}/publish`, { version: 1, start: true })
  expect((await ann.call('DELETE', path)).status).toBe(204)
  expect((await ann.ask('GET', '/api/bots')).items).toEqual([])
  for (const [method, rest, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { version: 3, name: 'x' }],
    ['POST', '/start', undefined],
    ['POST', '/publish', { version: 3 }],
    ['DELETE', '', undefined],
  ] as const)
    expect([method, rest, (await ann.call(method, `${path}${rest}`, body)).status]).toEqual([method, rest, 404])
  const restored = await ann.ask('POST', `${path}/restore`)
  expect(restored).toMatchObject({ id: bot.id, status: 'paused', publishedVersion: 1, draft: bot.draft })
  expect(restored).not.toHaveProperty('deletedAt')
  expect(await ann.ask('POST', `${path}/start`)).toMatchObject({ status: 'active' })
})

test('a workspace has at most 100 bots, however many are made at once; a deleted one makes room', async () => {
  const ann = parley.signIn()
  const answers = await Promise.all(
    Array.from({ length: 104 }, (_, n) => ann.call('POST', '/api/bots', { name: `Bot ${n}` })),
  )
  const statuses = Map.groupBy(answers, ({ status }) => status)
  expect([statuses.get(201)?.length, statuses.get(409)?.length]).toEqual([100, 4])
  const refused = statuses.get(409)?.[0]?.body
  expect(refused).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('100') })
  const [first] = (await ann.ask('GET', '/api/bots?limit=1')).items
  expect((await ann.call('POST', `/api/bots/${first.id}/duplicate`, {})).body.code).toBe('limit_reached')
  await ann.call('DELETE', `/api/bots/${first.id}`)
  await named(ann, 'Room again')
  expect((await ann.call('POST', `/api/bots/${first.id}/restore`)).body.code).toBe('limit_reached')
})

test('what is too large, of another form or of another bot is refused with a sentence, and nothing is lost', async () => {
  const ann = parley.signIn()
  const bot = await named(ann, 'Strict', soundFlow('strict'))
  const path = `/api/bots/${bot.id}`
  const big = flowOf(keyword('hi'), ...Array.from({ length: 199 }, () => say('x'.repeat(4500))))
  expect(JSON.stringify(big).length).toBeGreaterThan(900_000)
  expect((await ann.call('PATCH', path, { version: 1, draft: big })).body).toMatchObject({
    code: 'body_too_large',
    message: expect.stringContaining('640 KiB'),
  })
  const many = flowOf(...Array.from({ length: 201 }, (_, n) => keyword(`k${n}`)))
  expect((await ann.call('PATCH', path, { version: 1, draft: many })).body.code).toBe('validation_failed')
  expect((await ann.call('PATCH', path, { version: 1, name: 'x'.repeat(81) })).body.code).toBe('validation_failed')
  expect((await ann.call('PATCH', path, { version: 1, name: '   ' })).body.code).toBe('validation_failed')
  expect((await ann.call('PATCH', path, { name: 'No version' })).status).toBe(400)
  expect(await ann.ask('GET', path)).toMatchObject({ version: 1, draft: bot.draft })
})

test('of two people who change the settings of all bots the second is told', async () => {
  const ann = parley.signIn()
  const told = () => parley.others.of(ann.workspaceId).told.at(-1)
  const before = await ann.ask('GET', '/api/automation/settings')
  expect(before).toMatchObject({ version: 0, handOverWords: ['agent', 'human'] })
  const change = { version: 0, closedText: 'We are closed.', handOverWords: ['mensch'], returnHours: 12 }
  const answers = await Promise.all([
    ann.call('PATCH', '/api/automation/settings', change),
    ann.call('PATCH', '/api/automation/settings', change),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const saved = await ann.ask('GET', '/api/automation/settings')
  expect(saved).toEqual({ ...before, ...change, version: 1 })
  expect(told()).toMatchObject({ returnHours: 12 })
  const bad = await ann.call('PATCH', '/api/automation/settings', { version: 1, returnHours: 0 })
  expect(bad.body.code).toBe('validation_failed')
  const empty = { version: 1, closedText: null, returnHours: null }
  expect(await ann.ask('PATCH', '/api/automation/settings', empty)).toEqual({ handOverWords: ['mensch'], version: 2 })
  expect(told()).not.toHaveProperty('returnHours')
})

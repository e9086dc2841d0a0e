import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { approvedTemplate, firstName, launchCampaign, scheduledIn } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
})
afterAll(() => parley.stop())

type Person = ReturnType<typeof parley.signIn>
async function withContacts(people: Readonly<Record<string, string[]>>) {
  const ann = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  for (const [index, [name, tags]] of Object.entries(people).entries())
    await parley.services.contactChanges.create(ann, { name, phone: `+9198765${43_210 + index}`, tags, attributes: {} })
  return ann
}
const ended = (by: Person, id: string) =>
  vi.waitFor(
    async () => {
      const { items } = (await by.call('GET', '/api/contact-jobs')).body
      const job: ContactJob = items.find((one: ContactJob) => one.id === id)
      expect(['waiting', 'running']).not.toContain(job.state)
      return job
    },
    { timeout: 60_000, interval: 50 },
  )
async function done(by: Person, path: string, body?: object) {
  const started = await by.call('POST', path, body)
  expect(started.status).toBe(201)
  return ended(by, started.body.id)
}
const rename = (by: Person, tag: string, to: string) => done(by, '/api/tags/rename', { tag, to })
const undo = (by: Person, { id }: ContactJob) => done(by, `/api/contact-jobs/${id}/undo`)
async function carried(by: Person): Promise<Record<string, string[]>> {
  const { items } = (await by.call('GET', '/api/contacts?sort=name')).body
  return Object.fromEntries(items.map(({ name, tags }: { name: string; tags: string[] }) => [name, tags]))
}
const colours = async (by: Person): Promise<unknown[]> =>
  (await by.call('GET', '/api/tags')).body.items.map(({ name, colour }: never) => [name, colour])
const tagged = (value: string) => ({ field: 'tags', comparison: 'contains', value })
async function addSegment(by: Person, name: string, ...conditions: object[]) {
  const { status, body } = await by.call('POST', '/api/segments', { name, filter: { match: 'any', conditions } })
  expect(status).toBe(201)
  return body.id as string
}
const segment = async (by: Person, id: string) =>
  (await by.call('GET', '/api/segments')).body.items.find((one: { id: string }) => one.id === id)

test('a tag is renamed wherever it is named, and has its old name again after the undo', async () => {
  const ann = await withContacts({ A: ['b2b', 'news'], B: ['news', 'b2b'], C: ['b2b'], D: ['other'] })
  await ann.call('PUT', '/api/tags/colour', { tag: 'b2b', colour: 'violet' })
  const nested = { match: 'all', conditions: [tagged('B2B'), tagged('news')] }
  const changed = await addSegment(ann, 'Business', nested, tagged('other'))
  const kept = await addSegment(ann, 'News', tagged('news'))
  const job = await rename(ann, 'b2b', 'business')
  expect(job).toMatchObject({ state: 'done', changed: 3, canUndo: true })
  expect(await carried(ann)).toEqual({
    A: ['business', 'news'],
    B: ['news', 'business'],
    C: ['business'],
    D: ['other'],
  })
  expect(await colours(ann)).toContainEqual(['business', 'violet'])
  expect((await segment(ann, changed)).filter.conditions[0].conditions[0]).toEqual(tagged('business'))
  expect(await segment(ann, changed)).toMatchObject({ count: 3, version: 2 })
  expect(await segment(ann, kept)).toMatchObject({ version: 1 })
  expect(await undo(ann, job)).toMatchObject({ changed: 3, kept: 0 })
  expect(await carried(ann)).toEqual({ A: ['b2b', 'news'], B: ['news', 'b2b'], C: ['b2b'], D: ['other'] })
  expect(await colours(ann)).toContainEqual(['b2b', 'violet'])
  expect((await segment(ann, changed)).filter.conditions[0].conditions[0]).toEqual(tagged('b2b'))
})

test('two tags become one, and the undo parts whom the change has joined', async () => {
  const ann = await withContacts({ A: ['lead', 'prospect'], B: ['prospect'], C: ['lead'] })
  const ownSegment = await addSegment(ann, 'Mine', tagged('lead'), tagged('x'))
  const job = await rename(ann, 'prospect', 'lead')
  expect(await carried(ann)).toEqual({ A: ['lead'], B: ['lead'], C: ['lead'] })
  await undo(ann, job)
  expect(await carried(ann)).toEqual({ A: ['lead', 'prospect'], B: ['prospect'], C: ['lead'] })
  expect(await segment(ann, ownSegment)).toMatchObject({ version: 1 })
})

test('a campaign that has not begun goes to whoever carries the new name', async () => {
  // The number is that of the first workspace.
  const ann = parley.signIn()
  const { id } = await parley.services.contactChanges.create(ann, {
    name: 'A',
    phone: '+919820012345',
    tags: ['gold'],
    attributes: {},
  })
  const agreed = { category: 'marketing', value: 'in', note: 'Told us on the phone.' }
  await ann.ask('POST', `/api/contacts/${id}/consent`, agreed)
  const others = await parley.services.contactChanges.create(ann, {
    name: 'B',
    phone: '+919820012346',
    tags: ['silver', 'new'],
    attributes: {},
  })
  await ann.ask('POST', `/api/contacts/${others.id}/consent`, agreed)
  const without = await ann.ask('POST', '/api/campaigns', {
    name: 'Others',
    audience: { kind: 'segment', segmentId: 'vip', exclude: { tags: ['new', 'gold'], segmentIds: ['leads'] } },
    variables: {},
  })
  const created = await launchCampaign(ann, {
    name: 'Offer',
    audience: { kind: 'tags', tags: ['gold', 'silver'] },
    numberId: parley.number.id,
    templateId: await approvedTemplate(parley),
    variables: firstName,
    schedule: scheduledIn(1440),
  })
  expect(created.status).toBe(200)
  const named = async () => (await ann.call('GET', `/api/campaigns/${created.body.id}`)).body.audienceName
  const draft = () => ann.ask('GET', `/api/campaigns/${without.id}`)
  const job = await rename(ann, 'gold', 'premium')
  expect(await named()).toBe('Tagged premium, silver')
  expect(await draft()).toMatchObject({
    audience: { exclude: { tags: ['new', 'premium'], segmentIds: ['leads'] } },
    version: without.version + 1,
    audienceName: 'Segment VIP, without new, premium, Leads',
  })
  await undo(ann, job)
  expect(await named()).toBe('Tagged gold, silver')
  expect(await draft()).toMatchObject({ audience: { exclude: { tags: ['new', 'gold'] } } })
  await ann.call('POST', `/api/campaigns/${created.body.id}/status`, { action: 'cancel' })
  await ann.call('POST', '/api/contacts/bulk', { ids: [id, others.id], action: { kind: 'delete' } })
})

test('tags of built-in segments keep their names, and nobody else reaches the tags of a workspace', async () => {
  const ann = await withContacts({ A: ['vip', 'news'] })
  const asked = (by: Person, tag: string, to: string) => by.call('POST', '/api/tags/rename', { tag, to })
  expect(await asked(ann, 'vip', 'top')).toMatchObject({ status: 409, body: { code: 'tag_in_use' } })
  expect(await asked(ann, 'nobody', 'top')).toMatchObject({ status: 404 })
  expect(await asked(ann, 'news', 'news')).toMatchObject({ status: 400 })
  expect(await asked(ann, 'news', 'a,b')).toMatchObject({ status: 400 })
  const agent = parley.signIn({ role: 'agent', workspaceId: ann.workspaceId })
  expect((await asked(agent, 'news', 'top')).status).toBe(403)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await asked(stranger, 'news', 'top')).status).toBe(404)
  expect((await stranger.call('PUT', '/api/tags/colour', { tag: 'news', colour: 'red' })).status).toBe(404)
  expect(await colours(ann)).toEqual([
    ['vip', 'grey'],
    ['news', 'grey'],
  ])
})

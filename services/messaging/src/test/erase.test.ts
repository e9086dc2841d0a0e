import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { fullConnection } from '@parley/service-kit/data/mongo'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvedTemplate, eventually, firstName, launchCampaign } from './campaign-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { onPhone, unzipped } from './files.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
beforeAll(async () => {
  parley = await startMessaging()
  ann = parley.signIn()
})
afterAll(() => parley.stop())

const picture = (background: string) =>
  sharp({ create: { width: 600, height: 400, channels: 3, background } })
    .png()
    .toBuffer()

/** A picture that a customer sends. */
async function sendPicture(from: string, name: string, bytes: Buffer) {
  const id = await onPhone(parley, bytes, 'image/png')
  await parley.simulator.call('/inbound', { from, name, type: 'image', image: { id, caption: `From ${name}` } })
}
async function threadOf(digits: string) {
  const [conversation] = (await ann.ask('GET', `/api/conversations?q=${digits.slice(-6)}`)).items
  expect(conversation).toBeDefined()
  const { items } = await ann.ask('GET', `/api/conversations/${conversation.id}/messages`)
  return { conversation, items }
}
const pictureOf = (digits: string) =>
  eventually(async () => {
    const { conversation, items } = await threadOf(digits)
    const image = items.find((item: { content: { type: string } }) => item.content.type === 'image')
    expect(image?.content.state).toBeUndefined()
    return { conversation, url: String(image.content.url) }
  })

/** Yields everything that the database holds, by file and document, as text. */
async function* everything() {
  const { db } = fullConnection(parley.database.connection)
  for (const { name } of (await db?.listCollections().toArray()) ?? []) {
    for await (const document of db?.collection(name).find({}) ?? []) {
      const bytes = document['data']?.buffer instanceof Uint8Array ? Buffer.from(document['data'].buffer) : undefined
      yield { name, text: bytes ? bytes.toString('latin1') : JSON.stringify(document) }
    }
  }
}
async function placesOf(...needles: string[]) {
  const found = new Set<string>()
  for await (const { name, text } of everything()) if (needles.some((needle) => text.includes(needle))) found.add(name)
  return [...found].sort()
}

/** The number in each way in which it may be written. */
const digits = '919812399001'
const forms = [digits, '98123 99001', '9812399001', Buffer.from(digits).toString('base64')]
const name = 'Zubaida Quickwater'

test('a person who is everywhere is erased, and nothing but the HMAC of an opt-out is left of them', async () => {
  const other = '919812399002'
  const [ownPicture, shared] = [await picture('#a37'), await picture('#3a7')]
  const people = `Name,Phone,City\n${name},98123 99001,Pune\nRavi,98123 99003,Delhi\n`
  const upload = await fetch(`${parley.server.url}/api/imports?name=people.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await ann.token()}`, 'content-type': 'text/csv' },
    body: people,
  })
  const imported = JSON.parse(await upload.text())
  const imports = (state: string) =>
    eventually(async () => expect((await ann.ask('GET', `/api/imports/${imported.id}`)).state).toBe(state))
  await ann.ask('POST', `/api/imports/${imported.id}/check`)
  await imports('checked')
  await ann.ask('POST', `/api/imports/${imported.id}/run`)
  await imports('done')
  const [contact] = (await ann.ask('GET', '/api/contacts?q=Zubaida')).items

  await sendPicture(digits, name, ownPicture)
  await sendPicture(other, 'Meera', shared)
  const { conversation, url } = await pictureOf(digits)
  const { url: sharedUrl } = await pictureOf(other)
  await ann.ask('POST', `/api/conversations/${conversation.id}/messages`, {
    clientId: 'same-picture',
    content: { type: 'image', mediaId: sharedUrl.split('/').at(-1) },
  })
  expect((await ann.request('GET', `${url}/thumbnail`)).status).toBe(200)
  await ann.ask('POST', `/api/conversations/${conversation.id}/messages`, {
    clientId: 'hello-to-her',
    content: { type: 'text', text: `Hello ${name}` },
  })
  await ann.ask('POST', `/api/contacts/${contact.id}/consent`, {
    category: 'marketing',
    value: 'in',
    note: `${name} told me on the phone, ${digits}`,
  })
  const { body: campaign } = await launchCampaign(ann, {
    name: 'Tea',
    templateId: await approvedTemplate(parley),
    numberId: parley.number.id,
    audience: { kind: 'contacts', contactIds: [contact.id] },
    variables: firstName,
  })
  await eventually(async () => {
    const { counts } = await ann.ask('GET', `/api/campaigns/${campaign.id}`)
    expect(counts).toMatchObject({ audience: 1, sent: 1 })
  })
  await ann.ask('POST', `/api/contacts/${contact.id}/consent`, {
    category: 'marketing',
    value: 'out',
    note: 'No more.',
  })
  const changed = await ann.ask('POST', '/api/contact-jobs/changes', {
    selection: { filter: { q: 'Zubaida Quickwater' } },
    action: { kind: 'add_tags', tags: ['vip'] },
  })
  await jobEnded(ann, changed.id)
  const exports: Pick<ContactJob, 'id'>[] = []
  for (const format of ['csv', 'xlsx'])
    exports.push(
      await ann.ask('POST', '/api/contact-jobs/exports', { selection: { filter: {} }, format, timeZone: 'UTC' }),
    )
  for (const { id } of exports) expect((await jobEnded(ann, id))?.file).not.toBeNull()
  for (const format of ['text', 'html']) {
    const path = `/api/conversations/${conversation.id}/exports`
    const { id } = await ann.ask('POST', path, { format, timeZone: 'UTC' })
    await eventually(async () => {
      const { items } = await ann.ask('GET', path)
      expect(items.find((one: ContactJob) => one.id === id)?.file?.name).toContain(name)
    })
    exports.push({ id })
  }
  // A kept answer holds the contact as it was changed.
  const keyed = await ann.request(
    'PATCH',
    `/api/contacts/${contact.id}`,
    { version: (await ann.ask('GET', `/api/contacts/${contact.id}`)).version, attributes: { city: 'Goa' } },
    { 'idempotency-key': '5e2f4b1c-8a0b-4c53-9a73-3f8f4f9a1e01' },
  )
  expect(keyed.status).toBe(200)
  // WhatsApp reports messages until they are read: its reports of an erased one would be kept for a week.
  await eventually(async () => {
    const { items } = await ann.ask('GET', `/api/conversations/${conversation.id}/messages`)
    const sent = items.filter((item: { direction: string }) => item.direction === 'outbound')
    expect(sent.map(({ status }: { status: string }) => status)).toEqual(sent.map(() => 'read'))
    const { db } = fullConnection(parley.database.connection)
    expect(await db?.collection('rawEvents').countDocuments({ lane: { $exists: true } })).toBe(0)
  })
  const before = await placesOf(...forms, name)
  for (const store of ['contacts', 'conversations', 'messages', 'rawEvents', 'importRows', 'events', 'jobs'])
    expect(before).toContain(store)
  for (const store of ['importFilesFiles.chunks', 'exportFilesFiles.chunks', 'campaignRecipients', 'consentEntries'])
    expect(before).toContain(store)

  const misspelt = await ann.call('POST', `/api/contacts/${contact.id}/erase`, { name: 'Zubaida' })
  expect(misspelt).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  const agent = parley.signIn({ role: 'agent' })
  expect((await agent.call('POST', `/api/contacts/${contact.id}/erase`, { name })).status).toBe(403)
  const elsewhere = parley.signIn({ workspaceId: '0123456789abcdef01234567' })
  expect((await elsewhere.call('POST', `/api/contacts/${contact.id}/erase`, { name })).status).toBe(404)

  const job = await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name })
  expect((await ann.call('GET', `/api/contacts/${contact.id}`)).status).toBe(404)
  expect((await jobEnded(ann, job.id))?.state).toBe('done')

  expect(await placesOf(...forms, name)).toEqual([])
  const { db } = fullConnection(parley.database.connection)
  expect(await db?.collection('suppressions').countDocuments({ category: 'marketing' })).toBeGreaterThan(0)
  expect((await ann.call('GET', url)).status).toBe(404)
  expect((await ann.call('GET', sharedUrl)).status).toBe(200)
  expect((await ann.call('GET', `/api/conversations/${conversation.id}`)).status).toBe(404)
  expect((await ann.ask('GET', `/api/campaigns/${campaign.id}`)).counts).toMatchObject({ audience: 1, sent: 1 })
  const { items: rows } = await ann.ask('GET', `/api/imports/${imported.id}/rows`)
  expect(rows.map(({ name: shown }: { name: string }) => shown)).toEqual(['', 'Ravi'])
  for (const { id } of exports) expect((await ann.call('GET', `/api/contact-jobs/${id}/file`)).status).toBe(404)

  // A contact that is added again with the same number has still opted out.
  const again = await ann.ask('POST', '/api/contacts', { name: 'Z', phone: `+${digits}`, tags: [], attributes: {} })
  expect(again.optIn).toMatchObject({ marketing: 'out', source: 'suppression' })
})

test('everything that is stored of one person is written to a file, and of nobody else', async () => {
  const contact = await ann.ask('POST', '/api/contacts', {
    name: 'Lena Marsh',
    phone: '+919812399020',
    tags: ['vip'],
    attributes: {},
  })
  const bytes = await picture('#123')
  await sendPicture('919812399020', 'Lena Marsh', bytes)
  await pictureOf('919812399020')
  await ann.ask('POST', `/api/contacts/${contact.id}/consent`, {
    category: 'marketing',
    value: 'in',
    note: 'By letter.',
  })
  const job = await ann.ask('POST', `/api/contacts/${contact.id}/export`)
  expect((await parley.signIn({ role: 'agent' }).call('POST', `/api/contacts/${contact.id}/export`)).status).toBe(403)
  const ended = await jobEnded(ann, job.id)
  expect(ended).toMatchObject({ state: 'done', task: { kind: 'person_export' } })
  expect(ended?.file?.name).toMatch(/^contact-\d{4}-\d\d-\d\d\.zip$/)
  const answer = await ann.request('GET', `/api/contact-jobs/${job.id}/file`)
  expect(answer.headers.get('content-type')).toContain('application/zip')
  const parts = await unzipped(Buffer.from(await answer.arrayBuffer()))
  const json = (name: string) => JSON.parse(String(parts.get(name)))
  expect(json('contact.json')).toMatchObject({ id: contact.id, name: 'Lena Marsh', tags: ['vip'] })
  expect(json('consent.json')).toMatchObject([{ category: 'marketing', value: 'in', note: 'By letter.' }])
  expect(json('campaigns.json')).toEqual([])
  expect(json('ratings.json')).toEqual([])
  const [message] = json('messages.json')
  expect(message).toMatchObject({ direction: 'inbound', content: { type: 'image', caption: 'From Lena Marsh' } })
  expect(parts.get(`media/${message.content.mediaId}.png`)?.equals(bytes)).toBe(true)
  expect([...parts.keys()].filter((name) => name.startsWith('media/'))).toHaveLength(1)

  // The file that names the person is erased with the person.
  const erasure = await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: 'Lena Marsh' })
  await jobEnded(ann, erasure.id)
  expect((await ann.call('GET', `/api/contact-jobs/${job.id}/file`)).status).toBe(404)
  expect((await ann.call('POST', `/api/contacts/${contact.id}/export`)).status).toBe(404)
})

test('an erasure that a killed worker has left is carried on, and is not to be stopped', async () => {
  const contact = await ann.ask('POST', '/api/contacts', {
    name: 'Omar Fenwick',
    phone: '+919812399010',
    tags: [],
    attributes: {},
  })
  await sendPicture('919812399010', 'Omar Fenwick', await picture('#37a'))
  await pictureOf('919812399010')
  const job = await ann.ask('POST', `/api/contacts/${contact.id}/erase`, { name: 'Omar Fenwick' })
  expect((await ann.call('POST', `/api/contact-jobs/${job.id}/cancel`)).status).toBe(409)
  // Wherever in its steps the worker is by now: another one repeats the step, once the lease has ended.
  await parley.worker.kill()
  await eventually(async () => {
    await parley.services.jobWork.perform({ id: job.id, workspaceId: ann.workspaceId })
    expect((await ann.ask('GET', '/api/contact-jobs')).items[0]).toMatchObject({ id: job.id, state: 'done' })
  })
  expect(await placesOf('919812399010', 'Omar Fenwick')).toEqual([])
})

import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { keptMs } from '@parley/service-kit/data/job-records'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatMessages } from '../modules/inbox/messages/chat-messages.ts'
import { eventually } from './campaign-fixtures.ts'
import { pathOf, withChats } from './chat-fixtures.ts'
import { onPhone, unzipped } from './files.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let chats: ReturnType<typeof withChats>
beforeAll(async () => {
  parley = await startMessaging()
  ann = parley.signIn()
  await (await parley.members()).join(ann, 'Ann <b>Stone</b>')
  chats = withChats(parley, ann)
})
afterAll(() => parley.stop())

const script = '<script>alert("1")</script>'

test('a chat is exported as text and as a page with its files, in which nothing is markup that people wrote', async () => {
  const { threadOf, receive, write, exported } = chats
  const from = '919812370001'
  const name = `${script} & Co`
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer()
  const conversation = await write(
    from,
    name,
    `${script} *bold* _italic_ ~old~ \`\`\`code\`\`\` https://x.example/?a=1&b="2`,
  )
  await receive(from, name, {
    type: 'image',
    image: { id: await onPhone(parley, picture, 'image/png'), caption: 'שלום *world*' },
  })
  await receive(from, name, { type: 'document', document: { id: '123456789', filename: `../${script}.pdf` } })
  const page = Buffer.from('<!doctype html><script>alert(2)</script>')
  await receive(from, name, {
    type: 'document',
    document: { id: await onPhone(parley, page, 'text/html'), filename: '..\\offer\u0007.html' },
  })
  await eventually(async () => {
    const states = (await threadOf(conversation)).map(({ content }: { content: { state?: string } }) => content.state)
    expect(states).toEqual([undefined, undefined, 'expired', undefined])
  })
  const [first] = await threadOf(conversation)
  const path = `${pathOf(conversation)}/messages`
  const reply = { content: { type: 'text', text: 'Here you are' }, replyTo: first.id }
  await ann.ask('POST', path, reply)
  await ann.ask('PUT', `${path}/${first.id}/reaction`, { emoji: '👍' })
  await ann.ask('POST', `${pathOf(conversation)}/notes`, { text: `Only for us ${script}` })
  await ann.ask('PATCH', pathOf(conversation), { status: 'closed' })

  const text = await exported(conversation, 'text')
  expect(text.answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text.job?.file).toEqual({
    name: 'WhatsApp chat with script alert( 1 ) script & Co.txt',
    sizeBytes: text.bytes.length,
  })
  const lines = String(text.bytes).split('\n')
  expect(lines[0]).toBe(`\uFEFFWhatsApp chat of Test Shop with ${name}`)
  expect(lines.slice(1, 4)).toEqual([
    '+91 98123 70001',
    expect.stringMatching(/^Exported on 20\d\d-\d\d-\d\d at \d\d:\d\d\. All times are those of Asia\/Kolkata\.$/),
    'Photos and other files are not in it.',
  ])
  const texts = lines.filter((line) => line.startsWith('\u200E')).map((line) => line.replaceAll(/[\u2068\u2069]/g, ''))
  expect(texts).toEqual([
    expect.stringMatching(/^\u200E20\d\d-\d\d-\d\d, \d\d:\d\d - <script>.*: <script>.*\*bold\*.* \[👍 Test Shop\]$/),
    expect.stringContaining(': <Photo> שלום *world*'),
    expect.stringContaining(': <Document: '),
    expect.stringContaining(': <Document: '),
    expect.stringMatching(/Test Shop \(Ann <b>Stone<\/b>\): \(in answer to: <script>.*\) Here you are/),
    expect.stringContaining('(Ann <b>Stone</b>) (note): Only for us'),
    expect.stringContaining('Ann <b>Stone</b> closed this conversation'),
  ])

  const { bytes, answer, job } = await exported(conversation, 'html')
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(job?.file?.name).toMatch(/\.zip$/)
  expect(job).toMatchObject({ total: 9, done: 9 })
  const parts = await unzipped(bytes)
  expect([...parts.keys()]).toEqual(['index.html', 'media/00001.png', 'media/00002-offer.html.txt'])
  expect(parts.get('media/00001.png')?.equals(picture)).toBe(true)
  expect(parts.get('media/00002-offer.html.txt')?.equals(page)).toBe(true)
  const html = String(parts.get('index.html'))
  expect(html).not.toMatch(/<script|<b>|\son\w+=/)
  expect(html).toContain("default-src 'none'")
  for (const piece of [
    '<h1 dir="auto">WhatsApp chat of Test Shop with &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Co</h1>',
    'All times are those of Asia/Kolkata.',
    '<strong>bold</strong> <em>italic</em> <s>old</s> <code>code</code>',
    '<a href="https://x.example/?a=1&amp;b=" target="_blank" rel="noreferrer noopener">',
    '<img src="media/00001.png" alt="שלום *world*"',
    '<figcaption><p class="text" dir="auto">שלום <strong>world</strong></p>',
    'expired at WhatsApp before it could be fetched',
    '<a href="media/00002-offer.html.txt" download>',
    `<a class="quote" href="#m-${first.id}">`,
    'Reactions: <bdi>👍 Test Shop</bdi>',
    '<p class="kind">Note for the team</p>',
    'Ann &lt;b&gt;Stone&lt;/b&gt; closed this conversation',
    'Messages and activities: 7. Files: 2.',
  ])
    expect(html).toContain(piece)
})

test('exports belong to their workspace and need a permission; lists of them go by an index', async () => {
  const { write, exported } = chats
  const conversation = await write('919812370002', 'Meera', 'Hello')
  const { job } = await exported(conversation, 'text')
  const body = { format: 'text', timeZone: 'UTC' }
  const eve = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await eve.call('POST', `${pathOf(conversation)}/exports`, body)).status).toBe(404)
  expect((await eve.call('GET', `${pathOf(conversation)}/exports`)).status).toBe(404)
  expect((await eve.call('GET', `/api/contact-jobs/${job?.id}/file`)).status).toBe(404)
  expect((await eve.call('POST', `/api/contact-jobs/${job?.id}/cancel`)).status).toBe(404)
  for (const role of ['agent', 'viewer'] as const) {
    const other = parley.signIn({ role })
    expect((await other.call('POST', `${pathOf(conversation)}/exports`, body)).status).toBe(403)
    expect((await other.call('GET', `${pathOf(conversation)}/exports`)).status).toBe(403)
    expect((await other.call('GET', `/api/contact-jobs/${job?.id}/file`)).status).toBe(403)
  }
  expect((await ann.call('POST', `${pathOf(conversation)}/exports`, { ...body, timeZone: 'Mars/Base' })).status).toBe(
    400,
  )
  expect((await ann.call('GET', '/api/contact-jobs')).body.items).toEqual([])
  const messages = createChatMessages(parley.database.connection)
  await expectIndexed(parley.database.connection, async () => {
    await parley.services.chatExports.list(ann, conversation.id)
    await messages.count(ann, conversation.id)
    for await (const [message] of messages.pages(ann, conversation.id, 1))
      await messages.readMany(ann, [message?.id ?? ''])
  })
})

test('the file is deleted when its time is over, and with the contact', async () => {
  const { write, exportsOf, exported } = chats
  const [one, other] = [await write('919812370003', 'Nora Quill', 'Mine'), await write('919812370004', 'Ben', 'His')]
  const [text, zip, kept] = [await exported(one, 'text'), await exported(one, 'html'), await exported(other, 'text')]
  const erasure = await ann.ask('POST', `/api/contacts/${one.contact.id}/erase`, { name: 'Nora Quill' })
  await eventually(async () => {
    const { items } = await ann.ask('GET', '/api/contact-jobs')
    expect(items.find(({ id }: ContactJob) => id === erasure.id)?.state).toBe('done')
  })
  const statusOf = async (job: ContactJob | undefined) =>
    (await ann.call('GET', `/api/contact-jobs/${job?.id}/file`)).status
  expect([await statusOf(text.job), await statusOf(zip.job), await statusOf(kept.job)]).toEqual([404, 404, 200])
  const { db } = fullConnection(parley.database.connection)
  for await (const { data } of db?.collection('exportFilesFiles.chunks').find({}) ?? [])
    expect(String(Buffer.from(data.buffer))).not.toContain('Nora Quill')
  expect(await exportsOf(other)).toMatchObject([{ file: { name: 'WhatsApp chat with Ben.txt' } }])
  await parley.services.contactJobs.sweepFiles(new Date(Date.now() + keptMs + 1000))
  expect(await statusOf(kept.job)).toBe(404)
  expect(await db?.collection('exportFilesFiles.chunks').countDocuments()).toBe(0)
})

test('a chat of two contacts that were one is deleted with either of them', async () => {
  const { threadOf, write, exported } = chats
  const [kept, other] = [await write('919812370005', 'Lena', 'First'), await write('919812370006', 'Lena M', 'Second')]
  const read = async (id: string) => ann.ask('GET', `/api/contacts/${id}`)
  await ann.ask('POST', `/api/contacts/${kept.contact.id}/merge`, {
    otherId: other.contact.id,
    taken: {},
    version: (await read(kept.contact.id)).version,
    otherVersion: (await read(other.contact.id)).version,
  })
  await eventually(async () => expect(await threadOf(kept)).toHaveLength(2))
  const { job, bytes } = await exported(kept, 'text')
  expect(String(bytes)).toMatch(/First.*Second/s)
  await ann.ask('POST', `/api/contacts/${kept.contact.id}/unmerge`, { otherId: other.contact.id })
  await eventually(async () => expect(await threadOf(kept)).toHaveLength(1))
  await ann.ask('POST', `/api/contacts/${other.contact.id}/erase`, { name: 'Lena M' })
  await eventually(async () => expect((await ann.call('GET', `/api/contact-jobs/${job?.id}/file`)).status).toBe(404))
})

test('a file names members as profile does; who has no name there is a former member, and without profile a member', async () => {
  const { write, exported } = chats
  const [carl, dora, emil] = [parley.signIn(), parley.signIn(), parley.signIn()]
  const members = await parley.members()
  await members.join(carl, 'Carl Ray')
  const conversation = await write('919812370009', 'Lena', 'Hello')
  const said = (by: typeof ann, text: string) =>
    by.ask('POST', `${pathOf(conversation)}/messages`, { content: { type: 'text', text } })
  await said(carl, 'By Carl')
  await said(dora, 'By Dora')
  await dora.ask('PATCH', pathOf(conversation), { owner: { kind: 'member', id: carl.userId } })
  await emil.ask('PATCH', pathOf(conversation), { owner: { kind: 'member' } })
  // Names sent by the caller who starts the export are ignored.
  const forged = { format: 'text', timeZone: 'UTC', members: [{ userId: dora.userId, name: 'The Owner' }] }
  expect((await ann.call('POST', `${pathOf(conversation)}/exports`, forged)).status).toBe(201)

  const plain = async () => String((await exported(conversation, 'text')).bytes).replaceAll(/[\u2068\u2069]/g, '')
  const known = await plain()
  for (const words of [
    'Test Shop (Carl Ray): By Carl',
    'Test Shop (A former member): By Dora',
    'A former member assigned this conversation to Carl Ray',
    'A former member took this conversation',
  ])
    expect(known).toContain(words)
  expect(known).not.toContain('The Owner')

  await members.goAway()
  const unknown = await plain()
  // A name that was read within the last minute is still known.
  expect(unknown).toContain('Test Shop (Carl Ray): By Carl')
  expect(unknown).toContain('Test Shop (A member): By Dora')
  const refused = await ann.call('PATCH', pathOf(conversation), { owner: { kind: 'member', id: dora.userId } })
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(refused.body.message).toBe(
    'Members of the workspace cannot be checked right now, so nothing was changed. Try again shortly.',
  )
  expect((await ann.ask('GET', pathOf(conversation))).owner).toMatchObject({ kind: 'member', id: emil.userId })
  // Assigning oneself needs no check with profile.
  await ann.ask('PATCH', pathOf(conversation), { owner: { kind: 'member', id: ann.userId } })
})

test('the newest hundred thousand messages are written, and the file says so', async () => {
  const { write, exported, addMessages } = chats
  const conversation = await write('919812370007', 'Long', 'The newest')
  await addMessages(conversation, 100_010)
  const { bytes, job } = await exported(conversation, 'text')
  expect(job).toMatchObject({ total: 100_000, done: 100_000 })
  const lines = String(bytes).split('\n')
  expect(lines).toContain('This file has the newest 100,000 of 100,011 messages.')
  const texts = lines.filter((line) => line.startsWith('\u200E'))
  expect(texts).toHaveLength(100_000)
  expect(texts[0]).toContain('number 11 of many')
  expect(texts.at(-1)).toContain('The newest')
}, 300_000)

test('a cancelled export makes no file; the one of a killed worker is written by the next, each message once', async () => {
  const { write, exportsOf, start, ended, addMessages } = chats
  const conversation = await write('919812370008', 'Many', 'The newest')
  await addMessages(conversation, 60_000)
  const storedFiles = () =>
    fullConnection(parley.database.connection)
      .collection('exportFiles')
      .countDocuments({ workspaceId: ann.workspaceId, state: 'stored' })
  // Other tests have made some.
  const before = await storedFiles()
  const begun = async () => {
    const { id } = await start(conversation, 'html')
    await eventually(async () =>
      expect((await exportsOf(conversation)).find((job) => job.id === id)?.done).toBeGreaterThan(0),
    )
    return String(id)
  }
  const cancelled = await begun()
  expect(await ann.ask('POST', `/api/contact-jobs/${cancelled}/cancel`)).toMatchObject({ state: 'cancelled' })
  expect((await ann.call('GET', `/api/contact-jobs/${cancelled}/file`)).status).toBe(404)

  const id = await begun()
  await parley.worker.kill()
  // The killed worker's lease lasts for some seconds more.
  await parley.database.connection
    .collection('jobs')
    .updateMany({ leaseEndsAt: { $exists: true } }, { $set: { leaseEndsAt: new Date(0) } })
  await parley.services.jobWork.perform({ id, workspaceId: ann.workspaceId })
  expect(await ended(conversation, id)).toMatchObject({ state: 'done', total: 60_001, done: 60_001 })
  const answer = await ann.request('GET', `/api/contact-jobs/${id}/file`)
  const html = String((await unzipped(Buffer.from(await answer.arrayBuffer()))).get('index.html'))
  const texts = html.match(/number \d+ of many/g) ?? []
  expect(texts).toHaveLength(60_000)
  expect(new Set(texts).size).toBe(60_000)
  expect(await storedFiles()).toBe(before + 1)
}, 300_000)

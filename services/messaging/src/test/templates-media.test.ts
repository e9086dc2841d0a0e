import { warningRules } from '@parley/contracts/templates/template-findings'
import { templateSchema } from '@parley/contracts/templates/templates'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemplateFiles } from '../modules/templates/template-files.ts'
import { addContacts, approvedTemplate, eventually, firstName, launchCampaign } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let picture: Buffer
beforeAll(async () => {
  parley = await joinMessaging()
  picture = await pictureOf('#3a7')
})
afterAll(() => parley.stop())

const pictureOf = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
const owner = () => parley.signIn()
let phones = 919_861_000_000
const read = (id: string) => owner().ask('GET', `/api/templates/${id}`)

async function upload(bytes: Buffer, type: string) {
  const answer = await fetch(`${parley.server.url}/api/media`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { authorization: `Bearer ${await owner().token()}`, 'content-type': type },
  })
  return JSON.parse(await answer.text())
}
const photo = async (bytes = picture) => ({
  kind: 'image',
  // The server looks up the file's type and size itself.
  file: { mediaId: (await upload(bytes, 'image/png')).id, name: 'tea.png', mimeType: 'image/jpeg', sizeBytes: 1 },
})

async function conversation(): Promise<string> {
  phones += 1
  const [contactId] = await addContacts(parley.database.connection, parley.scope, {
    count: 1,
    firstPhone: phones,
    tags: [],
  })
  return (await owner().ask('POST', '/api/conversations', { contactId })).id
}
const send = (conversationId: string, templateId: string, values: object) =>
  owner().call('POST', `/api/conversations/${conversationId}/templates`, { templateId, values })

/** Returns the messages on the phones, by our own message ids. */
async function onPhones() {
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}&limit=500`)
  return new Map<string, { shown: { header?: { media: object }; body: string; buttons: object[] } }>(
    items.map((item: { callbackData: string }) => [item.callbackData, item]),
  )
}
const shownOf = (id: string) =>
  eventually(async () => {
    const message = (await onPhones()).get(id)
    expect(message).toBeDefined()
    return message?.shown
  })

test('a picture is reviewed as a sample, uploaded once for a number, and stands above the text on the phone and in the thread', async () => {
  const headerMedia = await photo()
  const id = await approvedTemplate(parley, { headerMedia })
  const stored = { ...headerMedia.file, mimeType: 'image/png', sizeBytes: picture.length }
  expect(templateSchema.parse(await read(id)).headerMedia).toEqual({ kind: 'image', file: stored })
  const chat = await conversation()
  const first = await send(chat, id, { 1: 'Asha' })
  const { mediaId, mimeType, sizeBytes } = stored
  expect(first.body.message.content.header).toEqual({
    kind: 'image',
    mediaId,
    mimeType,
    sizeBytes,
    fileName: 'tea.png',
  })
  const shown = await shownOf(first.body.message.id)
  expect(shown?.header?.media).toEqual({ id: expect.stringMatching(/^\d+$/) })
  const tag = `t${new Types.ObjectId().toHexString()}`
  await addContacts(parley.database.connection, parley.scope, { count: 3, firstPhone: phones + 10_000, tags: [tag] })
  const campaign = await launchCampaign(owner(), {
    name: 'Spring tea',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley.number.id,
    templateId: id,
    variables: firstName,
  })
  expect(campaign.status).toBe(200)
  await eventually(async () => {
    const now = await owner().ask('GET', `/api/campaigns/${campaign.body.id}`)
    expect(now.counts).toMatchObject({ delivered: 3 })
  })
  // All four have the one file that was uploaded to WhatsApp.
  const media = [...(await onPhones()).values()].flatMap((message) => message.shown?.header?.media ?? [])
  expect(media).toHaveLength(4)
  expect(new Set(media.map((one) => JSON.stringify(one))).size).toBe(1)
  const uploads = parley.database.connection.collection('mediaUploads')
  expect(await uploads.countDocuments(parley.inWorkspace)).toBe(1)
  // WhatsApp keeps the file for 30 days: it is renewed before.
  await uploads.updateMany(parley.inWorkspace, { $set: { uploadedAt: new Date(Date.now() - 26 * 24 * 3600_000) } })
  const later = await send(chat, id, { 1: 'Asha' })
  expect((await shownOf(later.body.message.id))?.header?.media).not.toEqual(media[0])
})

test('a file above a text is kept, and one above a draft that waits', async () => {
  const isKept = createTemplateFiles(parley.database.connection)
  const colours = ['#3a8', '#3a9', '#3aa']
  const [file, draftFile, neither] = await Promise.all(colours.map(async (one) => photo(await pictureOf(one))))
  const id = await approvedTemplate(parley, { headerMedia: file })
  const { version, name, language, category, body, buttons, examples } = await read(id)
  const content = { name, language, category, body, buttons, examples, headerMedia: draftFile }
  await owner().ask('PUT', `/api/templates/${id}/draft`, { ...content, version })
  const kept = async () =>
    Promise.all([file, draftFile, neither].map((template) => isKept(parley.scope, template?.file.mediaId)))
  expect(await kept()).toEqual([true, true, false])
  await expectIndexed(parley.database.connection, kept)
})

test('a file that WhatsApp does not take, or that is not there, is refused beside the header', async () => {
  const content = {
    name: `offer_${new Types.ObjectId().toHexString()}`,
    language: 'en',
    category: 'utility',
    buttons: [],
    body: 'Hi {{1}}, our new tea has come.',
    examples: { 1: 'Asha' },
    accepted: warningRules,
  }
  const create = (headerMedia: object) => owner().call('POST', '/api/templates', { ...content, headerMedia })
  const text = await upload(Buffer.from('Only words, no PDF.'), 'text/plain')
  const file = { mediaId: text.id, name: 'menu.pdf', mimeType: 'application/pdf', sizeBytes: 9 }
  for (const headerMedia of [
    { kind: 'document', file },
    { kind: 'document', file: { ...file, mediaId: new Types.ObjectId().toHexString() } },
    { kind: 'image' },
    { kind: 'location' },
  ]) {
    const { status, body } = await create(headerMedia)
    expect([status, body.code, Object.keys(body.fields)]).toEqual([400, 'validation_failed', ['headerMedia']])
  }
})

test('a template with a picture that was written elsewhere is sent once somebody has given it one', async () => {
  const name = `elsewhere_${new Types.ObjectId().toHexString()}`
  const components = [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } },
    { type: 'BODY', text: 'Our shop has moved to another street.' },
  ]
  const placed = { id: '880001', name, language: 'en', category: 'UTILITY', status: 'APPROVED', components }
  await parley.simulator.call('/templates', { account_id: parley.simulatedNumber.accountId, templates: [placed] })
  await owner().call('POST', '/api/templates/sync')
  const template = await eventually(async () => {
    const { items } = await owner().ask('GET', `/api/templates?q=${name}`)
    expect(items).toHaveLength(1)
    return items[0]
  })
  expect(template.headerMedia).toEqual({ kind: 'image' })
  const chat = await conversation()
  const refused = await send(chat, template.id, {})
  expect([refused.body.code, refused.body.message]).toEqual([
    'wrong_state',
    'This template needs a picture before it can be sent.',
  ])
  const draft = {
    name: 'Moved',
    audience: { kind: 'tags', tags: ['moved'] },
    numberId: parley.number.id,
    templateId: template.id,
    variables: {},
  }
  expect((await launchCampaign(owner(), draft)).body.fields).toEqual({
    templateId: expect.stringMatching(/^This template needs a picture\./),
  })
  const path = `/api/templates/${template.id}/header`
  const change = { version: template.version, headerMedia: await photo() }
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('PATCH', path, change)).status).toBe(404)
  expect((await parley.signIn({ role: 'agent' }).call('PATCH', path, change)).status).toBe(403)
  const locationHeader = { kind: 'location', place: { latitude: 1, longitude: 1, name: 'Shop', address: 'Street' } }
  expect((await owner().call('PATCH', path, { ...change, headerMedia: locationHeader })).body.code).toBe('wrong_state')
  expect((await owner().call('PATCH', path, change)).body).toMatchObject({
    status: 'approved',
    headerMedia: { kind: 'image' },
  })
  expect((await owner().call('PATCH', path, change)).body.code).toBe('stale_version')
  const sent = await send(chat, template.id, {})
  expect((await shownOf(sent.body.message.id))?.header?.media).toEqual({ id: expect.any(String) })
})

test('a place and a code reach the phone', async () => {
  const location = { latitude: 12.975, longitude: 77.605, name: 'Chai & Co', address: 'MG Road, Bengaluru' }
  const id = await approvedTemplate(parley, {
    headerMedia: { kind: 'location', place: location },
    buttons: [{ kind: 'copy_code', text: 'Copy offer code', code: '{{2}}' }],
    examples: { 1: 'Asha', 2: 'SPRING10' },
  })
  const chat = await conversation()
  expect((await send(chat, id, { 1: 'Asha', 2: 'X'.repeat(16) })).body.fields).toEqual({
    'values.2': expect.any(String),
  })
  const sent = await send(chat, id, { 1: 'Asha', 2: 'TEA25' })
  expect(sent.body.message.content.header).toEqual({ kind: 'location', ...location })
  expect(await shownOf(sent.body.message.id)).toMatchObject({
    header: { media: { ...location, latitude: '12.975', longitude: '77.605' } },
    buttons: [{ type: 'COPY_CODE', payload: 'TEA25' }],
  })
})

test('an authentication template has WhatsApp’s own text, and its code in the text and in the button', async () => {
  const chosen = {
    category: 'authentication',
    authentication: { securityRecommendation: true, expiresInMinutes: 10 },
    body: '*{{code}}* is your verification code. For your security, do not share this code.',
    footer: 'This code expires in 10 minutes.',
    examples: { code: '482913' },
  }
  const authenticationTemplate = {
    name: 'own_code',
    language: 'en',
    buttons: [],
    ...chosen,
    body: '*{{code}}* is the code of our shop.',
  }
  expect((await owner().call('POST', '/api/templates', authenticationTemplate)).body.fields).toEqual({
    category: expect.any(String),
  })
  const id = await approvedTemplate(parley, chosen)
  const chat = await conversation()
  expect((await send(chat, id, { code: '1234567890123456' })).status).toBe(400)
  const sent = await send(chat, id, { code: '771204' })
  expect(await shownOf(sent.body.message.id)).toMatchObject({
    body: '*771204* is your verification code. For your security, do not share this code.',
    buttons: [{ type: 'OTP', payload: '771204' }],
  })
  // WhatsApp has written out its text; it is still the same template.
  await owner().call('POST', '/api/templates/sync')
  await eventually(async () => expect((await owner().ask('GET', '/api/templates/sync')).running).toBe(false))
  expect(await read(id)).toMatchObject({ ...chosen, status: 'approved' })
})

import { parsePhone } from '@parley/phone'
import { lineForms } from '@parley/phone/line'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approvedTemplate, eventually, launchCampaign } from './campaign-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { withImports } from './import-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'
import { headOf, sendWebhook, type WebhookChange } from './webhook-fixtures.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let files: ReturnType<typeof withImports>
beforeAll(async () => {
  parley = await joinMessaging()
  ann = parley.signIn()
  files = withImports(parley, ann)
})
afterAll(() => parley.stop())

const collection = (name: string) => parley.database.connection.collection(name)
const id = (text: string) => new Types.ObjectId(text)
const digits = (phone: string) => phone.slice(1)
/** Contacts of a line, in whatever way its number is written. */
const ofLine = (phone: string) =>
  collection('contacts')
    .find({ ...parley.inWorkspace, phone: { $in: lineForms(phone) } })
    .toArray()
/** Returns the consent of every contact of a line, as lists and the review of a campaign see it. */
async function states(phone: string): Promise<string[]> {
  const found = await ofLine(phone)
  const isSuppressed = await parley.services.listConsent.suppressions(
    parley.scope,
    lineForms(phone).map((form) => ({ phone: form })),
  )
  const lists = found.map(({ optIn }) => String(optIn.marketing))
  const blocked = lineForms(phone).map((form) => isSuppressed({ phone: form }, 'marketing'))
  return [...new Set([...lists, ...blocked.map((isOut) => (isOut ? 'out' : ''))].filter(Boolean))]
}

let second = Math.floor(Date.now() / 1000)
/** Sends a text as a webhook brings it, and waits until it is there. @returns its contact. */
async function arrives(body: string, changeOf: (message: object) => WebhookChange): Promise<string> {
  second = Math.max(second + 1, Math.floor(Date.now() / 1000))
  const waMessageId = `wamid.${new Types.ObjectId()}`
  await sendWebhook(parley, changeOf({ timestamp: String(second), id: waMessageId, type: 'text', text: { body } }))
  return eventually(async () => {
    const found = await collection('messages').findOne({ ...parley.inWorkspace, waMessageId })
    expect(found).not.toBeNull()
    return String(found?.['contactId'])
  })
}
const says = (phone: string, body: string) =>
  arrives(body, (message) => {
    const contacts = [{ wa_id: digits(phone), profile: { name: 'Bia' } }]
    const messages = [{ ...message, from: digits(phone) }]
    return { field: 'messages', value: { ...headOf(parley), contacts, messages } }
  })
const echoes = (phone: string) =>
  arrives('From the phone', (message) => {
    const echo = { ...message, from: '1', to: digits(phone) }
    return { field: 'smb_message_echoes', value: { ...headOf(parley), message_echoes: [echo] } }
  })
const add = async (phone: string) => (await ann.ask('POST', '/api/contacts', { name: 'Bia', phone, attributes: {} })).id
const agrees = (contactId: string) =>
  ann.ask('POST', `/api/contacts/${contactId}/consent`, { category: 'marketing', value: 'in', note: 'Said so' })
const csv = (phone: string, consent: string) => files.carryOut(`name,phone,consent\nBia,${phone},${consent}\n`)
async function erase(contactId: string): Promise<void> {
  const job = await ann.ask('POST', `/api/contacts/${contactId}/erase`, { name: 'Bia' })
  await jobEnded(ann, job.id)
}
const read = (contactId: string) => ann.ask('GET', `/api/contacts/${contactId}`)

let serial = 1000
/** A line of its own, by four digits that no other has. */
const countries: Readonly<Record<string, (digits: number) => string>> = {
  Brazil: (digits) => `+55119876${digits}9`,
  Mexico: (digits) => `+5255123${digits}6`,
  Argentina: (digits) => `+549112345${digits}`,
  Benin: (digits) => `+2290197${digits}56`,
  'Ivory Coast': (digits) => `+2250707${digits}45`,
}
const pairs = Object.keys(countries).flatMap((country) => [
  [country, 'listed in the way in use today', (line: string) => lineForms(line)] as const,
  [country, 'listed in the other way', (line: string) => lineForms(line).toReversed()] as const,
])

describe.each(pairs)('%s, %s', (country, _how, inOrder) => {
  const line = (): [string, string] => {
    serial += 1
    const [listed = '', other = ''] = inOrder(countries[country]?.(serial) ?? '')
    expect(other).not.toBe('')
    return [listed, other]
  }

  test('whoever says stop from the other number has opted out, is found by both, and is added and imported by neither', async () => {
    const [listed, other] = line()
    const contactId = await add(listed)
    await agrees(contactId)
    expect(await says(other, 'STOP')).toBe(contactId)
    await eventually(async () => expect(await states(listed)).toEqual(['out']))
    expect(await ofLine(listed)).toHaveLength(1)
    for (const phone of [listed, other]) {
      const { items } = await ann.ask('GET', `/api/contacts?q=${digits(phone)}`)
      expect(items.map((item: { id: string }) => item.id)).toContain(contactId)
      const threads = (await ann.ask('GET', `/api/conversations?q=${digits(phone)}`)).items
      expect(threads.map((thread: { contact: { id: string } }) => thread.contact.id)).toContain(contactId)
      const { status, body } = await ann.call('POST', '/api/contacts', { name: 'Bia', phone, attributes: {} })
      expect([status, body.error?.existing?.id ?? body.existing?.id]).toEqual([409, contactId])
    }
    if (parsePhone(other)) {
      await csv(other, 'yes')
      expect(await states(listed)).toEqual(['out'])
      expect(await ofLine(listed)).toHaveLength(1)
    }
    expect(await says(listed, 'START')).toBe(contactId)
    await eventually(async () => expect(await states(other)).toEqual(['in']))
  })

  test('an echo to the other number and answers from both are one thread of one contact', async () => {
    const [listed, other] = line()
    const contactId = await echoes(listed)
    expect([await echoes(other), await says(other, 'Hi'), await says(listed, 'Hi')]).toEqual(
      Array.from({ length: 3 }, () => contactId),
    )
    expect(await collection('conversations').countDocuments({ contactId: id(contactId) })).toBe(1)
  })

  test('whoever was erased after a stop is opted out by the other number too', async () => {
    const [listed, other] = line()
    const contactId = await says(listed, 'STOP')
    await eventually(async () => expect(await states(listed)).toEqual(['out']))
    await erase(contactId)
    expect(await ofLine(listed)).toEqual([])
    expect(await states(other)).toEqual(['out'])
    const again = await add(other)
    expect((await read(again)).optIn).toMatchObject({ marketing: 'out' })
    if (parsePhone(listed)) await csv(listed, 'yes')
    expect(await states(listed)).toEqual(['out'])
  })

  test('two writers of both numbers at once make one contact', async () => {
    const [listed, other] = line()
    const ids = await Promise.all([says(listed, 'Hi'), says(other, 'Hi'), says(other, 'Hi'), says(listed, 'Hi')])
    expect(new Set(ids).size).toBe(1)
    const [third, fourth] = line()
    const answers = await Promise.all(
      [third, fourth, third, fourth].map((phone) =>
        ann.call('POST', '/api/contacts', { name: 'Bia', phone, attributes: {} }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })
})

/** Stores two contacts of one line, as before lines were distinguished from numbers. */
async function storedTwice(phone: string): Promise<[string, string]> {
  const [now = '', other = ''] = lineForms(phone)
  const [first, name] = [await add(now), 'Bia (2)']
  const stored: Record<string, unknown> = (await collection('contacts').findOne({ _id: id(first) })) ?? {}
  const { line: _line, ...fields } = stored
  const second = new Types.ObjectId()
  await collection('contacts').insertOne({ ...fields, _id: second, phone: other, name })
  return [first, second.toHexString()]
}

test('of two contacts of one line, stored before, who opts out or is blocked is so in both, also where they are edited', async () => {
  const phone = '+5511976540001'
  const [first, other] = await storedTwice(phone)
  await agrees(first)
  await agrees(other)
  expect(await says('+551176540001', 'STOP')).toBe(other)
  await eventually(async () => expect(await states(phone)).toEqual(['out']))
  expect((await ann.ask('GET', `/api/contacts/${first}/consent`)).items[0]).toMatchObject({ source: 'keyword' })
  await ann.ask('PUT', `/api/contacts/${first}/blocked`, { blocked: true })
  expect([(await read(first)).blocked, (await read(other)).blocked]).toEqual([true, true])
  const { version } = await read(other)
  await ann.ask('PATCH', `/api/contacts/${other}`, { name: 'Bia Lima', phone: '+551176540001', version })
  await ann.ask('POST', `/api/contacts/${other}/tags`, { tag: 'vip' })
  expect(await says(phone, 'START')).toBe(first)
  await eventually(async () => expect(await states(phone)).toEqual(['in']))
})

test('merged contacts of one line keep both user ids’ threads, and stay of one mind when they are taken apart', async () => {
  const phone = '+5511976540002'
  const [first, other] = await storedTwice(phone)
  await collection('contacts').updateOne({ _id: id(other) }, { $set: { waUserId: 'BR.line2' } })
  const versions = { version: (await read(first)).version, otherVersion: (await read(other)).version }
  const taken = { name: false, account: false, attributes: [] }
  const merged = await ann.ask('POST', `/api/contacts/${first}/merge`, { otherId: other, taken, ...versions })
  expect(merged).toMatchObject({ phone, waUserId: 'BR.line2' })
  expect(await says('+551176540002', 'STOP')).toBe(first)
  await eventually(async () => expect(await states(phone)).toEqual(['out']))
  await ann.ask('POST', `/api/contacts/${first}/unmerge`, { otherId: other })
  expect(await ofLine(phone)).toHaveLength(2)
  expect(await states(phone)).toEqual(['out'])
})

test('a campaign reaches one phone once, by the form that WhatsApp has confirmed', async () => {
  const tag = 'both-forms'
  // Otherwise the simulator would take both numbers for one by itself.
  await parley.simulator.call('/wa-id', { brazil: false })
  const [first, other] = await storedTwice('+5511976540005')
  const confirmed = await add('+5511976540006')
  expect(await says('+551176540006', 'Hi')).toBe(confirmed)
  for (const contactId of [first, other, confirmed]) {
    await agrees(contactId)
    await ann.ask('POST', `/api/contacts/${contactId}/tags`, { tag })
  }
  const templateId = await approvedTemplate(parley, { body: 'Our new tea has arrived in the shop.', examples: {} })
  const { status, body } = await launchCampaign(ann, {
    name: 'Tea',
    templateId,
    numberId: parley.number.id,
    variables: {},
    audience: { kind: 'tags', tags: [tag] },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  const sentTo = async (phone: string): Promise<number> => {
    const { items } = await parley.simulator.call(`/messages?to=${digits(phone)}`)
    return items.filter((item: { direction: string }) => item.direction === 'outbound').length
  }
  await eventually(async () => expect((await ann.ask('GET', `/api/campaigns/${body.id}`)).status).toBe('completed'))
  const rows = await collection('campaignRecipients')
    .find({ campaignId: id(body.id) })
    .toArray()
  expect(rows.flatMap(({ reason }) => reason ?? [])).toEqual(['duplicate_address'])
  expect([await sentTo('+551176540006'), await sentTo('+5511976540006')]).toEqual([1, 0])
  expect((await sentTo('+551176540005')) + (await sentTo('+5511976540005'))).toBe(1)
  await parley.simulator.call('/wa-id', { brazil: true })
})

test('two numbers of one line are looked for by an index', async () => {
  const person = { phone: '+5511976540007', waUserId: 'BR.x', name: undefined, username: undefined }
  await expectIndexed(parley.database.connection, () => parley.services.contacts.find(parley.scope, [person]))
})

import { randomUUID } from 'node:crypto'
import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { fullConnection } from '@parley/service-kit/data/mongo'
import { expectIndexed } from '@parley/service-kit/testing/query-plans'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addContacts, approvedTemplate, eventually, firstName, launchCampaign, sendAt } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
})
afterAll(() => parley.stop())
vi.setConfig({ testTimeout: 240_000 })

const owner = () => parley.signIn()
const browser = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36'
const website = 'https://chai.example/offers?for='
let phones = 919_841_000_000

const open = (url: string, { agent = browser, method = 'GET' } = {}) =>
  fetch(url, { method, redirect: 'manual', headers: { 'user-agent': agent } })
const buttons = (tracked?: string) => [
  { kind: 'url', text: 'See it', url: `${website}{{1}}`, ...(tracked && { tracked }) },
]
const trackingAddress = async () => (await owner().call('GET', '/api/templates/tracking')).body.address
const read = async (id: string) => (await owner().call('GET', `/api/campaigns/${id}`)).body
const rowsOf = async (id: string, outcome = '') => {
  const { body } = await owner().call('GET', `/api/campaigns/${id}/recipients${outcome && `?outcome=${outcome}`}`)
  return recipientsApi.list.response.parse(body).items
}
/** Visits as they are stored. */
const clicks = (campaignId: string) =>
  parley.database.connection
    .collection('linkClicks')
    .find({ ...parley.inWorkspace, campaignId: new Types.ObjectId(campaignId) })
    .toArray()

/** A campaign to two people, and the link that each of them sees on the phone. */
async function sent(templateId: string) {
  phones += 1000
  const contactIds = await addContacts(parley.database.connection, parley.scope, {
    count: 2,
    firstPhone: phones,
    tags: [],
  })
  const audience = { kind: 'contacts', contactIds }
  const input = { name: 'Spring tea', audience, numberId: parley.number.id, templateId, variables: firstName }
  const { body } = await launchCampaign(owner(), input)
  await eventually(async () => expect((await read(body.id)).counts).toMatchObject({ delivered: 2 }))
  const rows = await rowsOf(body.id)
  const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}`)
  const shown: { callbackData: string; shown: { buttons: { url: string }[] } }[] = items
  const links = rows.map(({ id }) => shown.find(({ callbackData }) => callbackData === id)?.shown.buttons[0]?.url ?? '')
  return { id: body.id as string, rows, links }
}

test('who opens a counted link is led on and counted once; previews, forged and cut links are not', async () => {
  const address = await trackingAddress()
  expect(address).toBe(`${parley.ingest.url}/l/`)
  // WhatsApp gets our address, whatever address the body names.
  const templateId = await approvedTemplate(parley, { buttons: buttons('https://evil.example/l/') })
  expect((await owner().call('GET', `/api/templates/${templateId}`)).body.buttons).toEqual(buttons(address))
  const campaign = await sent(templateId)
  const [link = '', other = ''] = campaign.links
  expect(link).toMatch(new RegExp(`^${address}[\\w-]{56}$`))
  expect(other).not.toBe(link)

  await expectIndexed(parley.database.connection, async () => {
    // The button is pressed twice.
    const answers = await Promise.all([open(link), open(`${link}?utm_source=x`)])
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('location')]).toEqual([302, `${website}Asha`])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    }
    await eventually(async () => expect((await read(campaign.id)).counts.clicked).toBe(1))
  })
  for (const agent of ['WhatsApp/2.24.1 A', 'facebookexternalhit/1.1', 'TelegramBot (like TwitterBot)', ''])
    expect((await open(other, { agent })).status).toBe(302)
  expect((await open(other, { method: 'HEAD' })).status).toBe(302)
  const token = link.slice(address.length)
  const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  for (const path of [forged, token.slice(1), 'https:%2F%2Fevil.example', randomUUID()]) {
    const refused = await open(`${address}${path}`)
    expect([refused.status, refused.headers.get('location')], path).toEqual([404, null])
    expect(refused.headers.get('content-type')).toContain('text/html')
  }

  const [first] = await clicks(campaign.id)
  const { linkVisits } = parley.ingesting
  const found = await linkVisits.find(token)
  if (!first || !found) throw new Error('a visit was expected')
  const countsAfter = async (...pausesMs: number[]) => {
    for (const ms of pausesMs) void linkVisits.note(found, new Date(first['lastAt'].getTime() + ms))
    await linkVisits.settled()
    return (await clicks(campaign.id)).map(({ index, count }) => ({ index, count }))
  }
  expect(await countsAfter(0, 1999)).toEqual([{ index: 0, count: 1 }])
  expect(await countsAfter(2000, 2000)).toEqual([{ index: 0, count: 2 }])

  const [row] = await rowsOf(campaign.id, 'clicked')
  expect(row).toMatchObject({ id: campaign.rows[0]?.id, clicked: true })
  expect(row?.clickedAt).toBe(first['firstAt'].toISOString())
  expect((await read(campaign.id)).counts.clicked).toBe(1)
  expect(await read(campaign.id)).toMatchObject({ clicks: 'counted' })
  const { body: csv } = await owner().call('GET', `/api/campaigns/${campaign.id}/recipients.csv?outcome=clicked`)
  expect(csv.split('\r\n').filter((line: string) => line.includes(row?.clickedAt ?? 'never'))).toHaveLength(1)
  const stranger = parley.signIn({ workspaceId: new Types.ObjectId().toHexString() })
  expect((await stranger.call('GET', `/api/campaigns/${campaign.id}/recipients?outcome=clicked`)).status).toBe(404)
})

test('the link of an erased contact leads on without their name, and stores nothing', async () => {
  const campaign = await sent(await approvedTemplate(parley, { buttons: buttons(await trackingAddress()) }))
  const [link = ''] = campaign.links
  await open(link)
  await eventually(async () => expect((await read(campaign.id)).counts.clicked).toBe(1))
  const { contactId, name } = campaign.rows[0] ?? { contactId: '', name: '' }
  const job = await owner().call('POST', `/api/contacts/${contactId}/erase`, { name })
  await eventually(async () => {
    const { items } = (await owner().call('GET', '/api/contact-jobs')).body
    expect(items.find(({ id }: { id: string }) => id === job.body.id)?.state).toBe('done')
  })
  expect(await clicks(campaign.id)).toEqual([])
  const answer = await open(link)
  expect([answer.status, answer.headers.get('location')]).toEqual([302, website])
  await parley.ingesting.linkVisits.settled()
  const [erased] = (await rowsOf(campaign.id, 'clicked')).filter((row) => row.contactId === contactId)
  expect(erased).toMatchObject({ name: '', clicked: true })
  expect(erased?.clickedAt).toBeUndefined()
  // A visit after the erasure is stored.
  await open(campaign.links[1] ?? '')
  await eventually(async () => expect(await clicks(campaign.id)).toHaveLength(1))
})

test('a template with links that nobody counts says so, and keeps its address at WhatsApp', async () => {
  const campaign = await sent(await approvedTemplate(parley, { buttons: buttons() }))
  expect(campaign.links[0]).toBe(`${website}Asha`)
  expect(await read(campaign.id)).toMatchObject({ clicks: 'not_tracked', counts: { clicked: null } })
})

test('whoever opens a link is led on while the visit cannot be stored, and the log tells of it', async () => {
  const campaign = await sent(await approvedTemplate(parley, { buttons: buttons(await trackingAddress()) }))
  const [link = ''] = campaign.links
  const db = fullConnection(parley.database.connection).db
  if (!db) throw new Error('there is no database')
  await db.command({ collMod: 'linkClicks', validator: { count: { $lt: 0 } } })
  try {
    expect((await open(link)).status).toBe(302)
    await eventually(() => expect(parley.ingest.output()).toContain('a visit of a link was not counted'))
  } finally {
    await db.command({ collMod: 'linkClicks', validator: {} })
  }
  expect(await clicks(campaign.id)).toEqual([])
  expect(await rowsOf(campaign.id, 'clicked')).toEqual([])
})

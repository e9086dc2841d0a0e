import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Types } from 'mongoose'
import sharp from 'sharp'
import { expect } from 'vitest'
import {
  addContacts,
  approvedTemplate,
  eventually,
  firstName,
  launchReviewed,
  reviewDraft,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)

/** A web server with invoices, which counts how often each is asked for. */
async function startShop() {
  const asked = new Map<string, number>()
  const added = new Set<string>()
  const held: (() => void)[] = []
  const special: Record<string, (response: ServerResponse, times: number) => void> = {
    missing: (response) => response.writeHead(404).end(),
    large: (response) => response.writeHead(200, { 'content-length': String(101 * 1024 * 1024) }).end('%PDF-1.4'),
    picture: async (response) => {
      const colour = { width: 8, height: 8, channels: 3, background: '#3a7' } as const
      response.end(await sharp({ create: colour }).png().toBuffer())
    },
    slow: (response) => void setTimeout(() => response.end(pdf('slow')), 2000),
    flaky: (response, times) => (times < 3 ? response.writeHead(500).end() : response.end(pdf('flaky'))),
    moved: (response) => response.writeHead(302, { location: '/invoices/A-1.pdf?moved' }).end(),
  }
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://shop').pathname)
    const times = (asked.get(path) ?? 0) + 1
    asked.set(path, times)
    const name = path.replace(/^\/invoices\/|\.pdf$/g, '')
    const answer = special[name]
    if (name.startsWith('held')) held.push(() => response.end(pdf(name)))
    else if (name.startsWith('late') && !added.has(name)) response.writeHead(404).end()
    else if (answer) answer(response, times)
    else response.end(pdf(name))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  }
  const letGo = () => {
    for (const answer of held.splice(0)) answer()
  }
  return { url, asked, added, held, letGo, close }
}

export type Invoices = Awaited<ReturnType<typeof startInvoices>>

/** Joins messaging with a shop whose invoices campaigns send. @param firstPhone of its customers. */
export async function startInvoices(firstPhone: number) {
  const parley = await joinMessaging()
  const shop = await startShop()
  const owner = () => parley.signIn()
  let phones = firstPhone

  const template = async () => {
    const answer = await fetch(`${parley.server.url}/api/media`, {
      method: 'POST',
      body: new Uint8Array(pdf('sample')),
      headers: { authorization: `Bearer ${await owner().token()}`, 'content-type': 'application/pdf' },
    })
    const { id: mediaId } = JSON.parse(await answer.text())
    const sample = { mediaId, name: 'sample.pdf', mimeType: 'application/pdf', sizeBytes: 1 }
    return approvedTemplate(parley, { category: 'utility', headerMedia: { kind: 'document', file: sample } })
  }

  /** Contacts with an order each. @returns the tag that they alone carry. */
  async function customers(orders: readonly (string | undefined)[]): Promise<string> {
    const tag = `t${new Types.ObjectId().toHexString()}`
    for (const order of orders) {
      phones += 1
      const attributes = order === undefined ? [] : [{ k: 'order', v: order }]
      const { database, scope } = parley
      await addContacts(database.connection, scope, { count: 1, firstPhone: phones, tags: [tag], over: { attributes } })
    }
    return tag
  }

  const file = (over: object = {}) => ({
    from: 'address',
    address: `${shop.url}/invoices/{{order}}.pdf`,
    fields: { order: 'attributes.order' },
    fileName: 'Invoice {{order}}.pdf',
    ...over,
  })

  const draft = (tag: string, templateId: string, recipientFile: object = file()) => ({
    name: 'Invoices',
    audience: { kind: 'tags', tags: [tag] },
    numberId: parley.number.id,
    templateId,
    variables: firstName,
    recipientFile,
  })

  /** Returns the documents on the phones: name and content, by our own message ids. */
  async function documents() {
    const { items } = await parley.simulator.call(`/messages?phone_number_id=${parley.number.phoneNumberId}&limit=500`)
    const found = new Map<string, { waId: string; fileName: string; text: string }>()
    for (const { callbackData, shown } of items) {
      const { id, filename } = shown?.header?.media ?? {}
      if (id === undefined) continue
      const file = await fetch(`${parley.number.graphUrl}/sim/media/${id}`)
      found.set(callbackData, { waId: id, fileName: filename, text: /% (.*)/.exec(await file.text())?.[1] ?? '' })
    }
    return found
  }

  const campaign = (id: string) => owner().ask('GET', `/api/campaigns/${id}`)

  /** Sends invoices to customers with these orders. @returns the campaign's id, and where its rows, messages and files are. */
  async function send(orders: readonly string[]) {
    const created = await owner().ask('POST', '/api/campaigns', draft(await customers(orders), await template()))
    let isReviewed = false
    const reviewed = reviewDraft(owner(), created).finally(() => (isReviewed = true))
    // The review looks at files, too.
    await eventually(() => {
      shop.letGo()
      expect(isReviewed).toBe(true)
    })
    const { status, body } = await launchReviewed(owner(), created.id, (await reviewed).body)
    expect(status).toBe(200)
    const id: string = body.id
    const files = parley.database.connection.collection('recipientFiles')
    const fileOf = (order: string) =>
      files.findOne({ campaignId: new Types.ObjectId(id), address: `${shop.url}/invoices/${order}.pdf` })
    async function messageOf(order: string) {
      const address = `${shop.url}/invoices/${order}.pdf`
      const rows = parley.database.connection.collection('campaignRecipients')
      const row = await rows.findOne({ campaignId: new Types.ObjectId(id), 'file.address': address })
      return parley.database.connection.collection('messages').findOne({ _id: row?._id ?? new Types.ObjectId() })
    }
    return { id, fileOf, messageOf }
  }

  const stop = async () => {
    await parley.stop()
    await shop.close()
  }
  return { parley, shop, template, customers, file, draft, documents, campaign, send, stop }
}

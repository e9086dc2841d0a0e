import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvedTemplate, eventually, firstName, launchCampaign } from './campaign-fixtures.ts'
import { jobEnded } from './contact-fixtures.ts'
import { everythingStored } from './erase-fixtures.ts'
import { onPhone } from './files.ts'
import { withImports } from './import-fixtures.ts'
import { none, withMerging } from './merging-fixtures.ts'
import { startMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof startMessaging>>
let ann: ReturnType<(typeof parley)['signIn']>
let templateId: string
beforeAll(async () => {
  parley = await startMessaging()
  ann = parley.signIn()
  templateId = await approvedTemplate(parley)
})
afterAll(() => parley.stop())

/** A person as they are known now, and everything that they have ever been known by. */
interface Somebody {
  readonly contactId: string
  readonly word: string
  name: string
  digits: string
  readonly needles: string[]
}
type Feature = (person: Somebody, serial: number) => Promise<unknown>

const numbers = (() => {
  let next = 919_812_300_100
  return () => String(next++)
})()
const letters = (number: number) => [...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')
/** Returns a unique name. */
const rareName = (number: number) => `Za${letters(number)}a Qu${letters(number)}o`
const contactOf = ({ contactId }: Somebody) => ann.ask('GET', `/api/contacts/${contactId}`)
const edit = async (person: Somebody, fields: object, headers = {}) => {
  const path = `/api/contacts/${person.contactId}`
  const answer = await ann.request('PATCH', path, { ...fields, version: (await contactOf(person)).version }, headers)
  expect(answer.status).toBe(200)
}
async function conversationOf(person: Somebody): Promise<string> {
  const find = async () => (await ann.ask('GET', `/api/conversations?contact=${person.contactId}`)).items
  if ((await find()).length === 0) await says(person, { type: 'text', text: { body: 'Hi' } })
  return eventually(async () => {
    const [conversation] = await find()
    expect(conversation?.canSend ?? conversation).toBeDefined()
    return conversation.id
  })
}
const says = ({ digits, name }: Somebody, message: object) =>
  parley.simulator.call('/inbound', { from: digits, name, ...message })
const textsOf = async (conversationId: string): Promise<string> =>
  JSON.stringify((await ann.ask('GET', `/api/conversations/${conversationId}/messages?limit=100`)).items)
/** Writes to a person whose window is open. */
async function send(person: Somebody, body: object) {
  const id = await conversationOf(person)
  await says(person, { type: 'text', text: { body: 'Are you there?' } })
  await eventually(async () => expect(await textsOf(id)).toContain('Are you there?'))
  return ann.ask('POST', `/api/conversations/${id}/messages`, body)
}
const exported = async (filter: object, format: string) => {
  const job = await ann.ask('POST', '/api/contact-jobs/exports', { selection: { filter }, format, timeZone: 'UTC' })
  expect((await jobEnded(ann, job.id)).file).not.toBeNull()
}

const modules: Record<string, Feature> = {
  rename: async (person, serial) => {
    person.name = rareName(Number(person.digits) + 1000 + serial)
    person.needles.push(person.name)
    await edit(person, { name: person.name })
  },
  renumber: async (person) => {
    person.digits = numbers()
    person.needles.push(person.digits)
    await edit(person, { phone: `+${person.digits}` })
  },
  message: async (person) => {
    const id = await conversationOf(person)
    await says(person, { type: 'text', text: { body: `I like ${person.word}` } })
    await eventually(async () => expect(await textsOf(id)).toContain(person.word))
  },
  picture: async (person, serial) => {
    const id = await conversationOf(person)
    const bytes = await sharp({ create: { width: 300, height: 200 + serial, channels: 3, background: '#a37' } })
      .withExif({ IFD0: { ImageDescription: person.word } })
      .png()
      .toBuffer()
    const image = { id: await onPhone(parley, bytes, 'image/png'), caption: `A ${person.word}` }
    await says(person, { type: 'image', image })
    await eventually(async () => expect(await textsOf(id)).toContain('/api/media/'))
  },
  answer: (person) => send(person, { content: { type: 'text', text: `Hello ${person.name}, a ${person.word}?` } }),
  scheduled: (person) =>
    send(person, {
      content: { type: 'text', text: `${person.word} tomorrow` },
      sendAt: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  note: async (person) => {
    const text = `${person.name} of +${person.digits} wants ${person.word}`
    await ann.ask('POST', `/api/conversations/${await conversationOf(person)}/notes`, { text })
  },
  reaction: async (person) => {
    const id = await conversationOf(person)
    await says(person, { type: 'text', text: { body: `A ${person.word} for you` } })
    const message = await eventually(async () => {
      const { items } = await ann.ask('GET', `/api/conversations/${id}/messages?limit=100`)
      const found = items.find(
        (one: { direction: string; content: { text?: string } }) =>
          one.direction === 'inbound' && one.content.text === `A ${person.word} for you`,
      )
      expect(found).toBeDefined()
      return found
    })
    const path = `/api/conversations/${id}/messages/${message.id}/reaction`
    const answer = await ann.request('PUT', path, { emoji: '👍' }, { 'idempotency-key': crypto.randomUUID() })
    expect(answer.status).toBe(200)
  },
  consent: (person) =>
    ann.ask('POST', `/api/contacts/${person.contactId}/consent`, {
      category: 'marketing',
      value: 'in',
      note: `${person.name} said ${person.word}, +${person.digits}`,
    }),
  keyedChange: (person) =>
    edit(person, { attributes: { city: person.word } }, { 'idempotency-key': crypto.randomUUID() }),
  tables: async (person) => {
    for (const format of ['csv', 'xlsx']) await exported({}, format)
    await exported({ q: person.name }, 'csv')
  },
  nobodyExported: () => exported({ q: 'nobody has this name' }, 'csv'),
  chat: async (person) => {
    const path = `/api/conversations/${await conversationOf(person)}/exports`
    for (const format of ['text', 'html']) {
      const { id } = await ann.ask('POST', path, { format, timeZone: 'UTC' })
      await eventually(async () => {
        const { items } = await ann.ask('GET', path)
        expect(items.find((job: { id: string }) => job.id === id)?.file).not.toBeNull()
      })
    }
  },
  personExport: async (person) => {
    const job = await ann.ask('POST', `/api/contacts/${person.contactId}/export`)
    expect((await jobEnded(ann, job.id)).file).not.toBeNull()
  },
  bulk: async (person) => {
    const selection = { filter: { q: person.name } }
    const change = { selection, action: { kind: 'add_tags', tags: ['vip'] } }
    await jobEnded(ann, (await ann.ask('POST', '/api/contact-jobs/changes', change)).id)
  },
  update: async (person) => {
    const { carryOut } = withImports(parley, ann)
    await carryOut(`Name,Phone,City\n${person.name},+${person.digits},${person.word}\n`)
  },
  campaign: async (person) => {
    await ann.ask('POST', `/api/contacts/${person.contactId}/consent`, {
      category: 'marketing',
      value: 'in',
      note: 'By letter.',
    })
    const { body } = await launchCampaign(ann, {
      name: 'Tea',
      templateId,
      numberId: parley.number.id,
      audience: { kind: 'contacts', contactIds: [person.contactId] },
      variables: firstName,
    })
    await eventually(async () =>
      expect((await ann.ask('GET', `/api/campaigns/${body.id}`)).counts).toMatchObject({ audience: 1, sent: 1 }),
    )
  },
  merge: async (person, serial) => {
    const digits = numbers()
    const other = await ann.ask('POST', '/api/contacts', { name: rareName(Number(digits)), phone: `+${digits}` })
    person.needles.push(digits, other.name)
    const { merge } = withMerging(parley, ann)
    const taken = { ...none, name: serial % 2 === 0, account: serial % 3 === 0 }
    const merged = await merge(await contactOf(person), other, taken)
    person.name = merged.name
    person.digits = (merged.phone ?? '').slice(1)
  },
  views: async (person, serial) => {
    for (const [screen, q] of [
      ['contacts', person.name],
      ['conversations', `+${person.digits}`],
    ])
      await ann.ask('POST', '/api/views', { name: `View ${serial}`, shared: false, screen, query: { q } })
  },
  segment: (person) =>
    ann.ask('POST', '/api/segments', {
      name: `Like ${person.name}`,
      filter: { match: 'all', conditions: [{ field: 'name', comparison: 'contains', value: person.name }] },
    }),
  draft: (person, serial) =>
    ann.ask('POST', '/api/campaigns', {
      name: `Draft ${serial}`,
      templateId,
      numberId: parley.number.id,
      audience: { kind: 'contacts', contactIds: [person.contactId] },
      variables: { 1: { kind: 'text', text: person.name } },
    }),
}

/** A person who was imported, and then went through all of this. */
async function livesThrough(names: readonly string[], start: number): Promise<Somebody> {
  const digits = numbers()
  const name = rareName(Number(digits))
  const { carryOut } = withImports(parley, ann)
  await carryOut(`Name,Phone,City\n${name},+${digits},Pune\nRavi,+${numbers()},Delhi\n`)
  const [contact] = (await ann.ask('GET', `/api/contacts?q=${encodeURIComponent(name)}`)).items
  const word = `quokka${letters(Number(digits))}`
  const person: Somebody = { contactId: contact.id, word, name, digits, needles: [name, digits, word] }
  for (const [index, feature] of names.entries()) {
    try {
      await modules[feature]?.(person, start + index)
    } catch (error) {
      throw new Error(`${feature} after ${names.slice(0, index).join(', ')}`, { cause: error })
    }
  }
  return person
}

/** A text as it stands, and in a body that is kept as it came. */
const formsOf = (needle: string) => [needle, Buffer.from(needle).toString('base64').replace(/=+$/, '')]

const orders = fc.sample(fc.shuffledSubarray(Object.keys(modules), { minLength: Object.keys(modules).length }), {
  seed: 20_261_127,
  numRuns: 3,
})

test.each(orders.map((order, index) => [index, order] as const))(
  'whoever has been through every feature is erased, whatever came first (%i)',
  { timeout: 300_000 },
  async (index, order) => {
    const person = await livesThrough(order, index * 100)
    await eventually(async () => {
      const waiting = parley.database.connection.collection('rawEvents').countDocuments({ lane: { $exists: true } })
      expect(await waiting).toBe(0)
    })
    const job = await ann.ask('POST', `/api/contacts/${person.contactId}/erase`, { name: person.name })
    const ended = await jobEnded(ann, job.id)
    expect(ended).toMatchObject({ state: 'done', problem: null })
    await eventually(async () =>
      expect(
        await parley.database.connection.collection('jobs').countDocuments({ leaseEndsAt: { $exists: true } }),
      ).toBe(0),
    )

    const mentioned = new Set(ended.mentions?.map(({ id }) => id))
    expect(ended.mentions?.map(({ kind }) => kind).toSorted()).toEqual(['campaign', 'segment', 'view', 'view'])
    const needles = person.needles.flatMap(formsOf)
    const left: string[] = []
    for await (const { store: where, id, text } of everythingStored(parley)) {
      if (mentioned.has(id)) continue
      for (const needle of needles)
        if (text.includes(needle)) left.push(`${where} ${id}: ${needle} in ${text.slice(0, 3000)}`)
    }
    expect(left).toEqual([])
    expect((await ann.call('GET', `/api/contacts/${person.contactId}`)).status).toBe(404)
  },
)

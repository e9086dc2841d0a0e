import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { everythingOf } from '@parley/service-kit/testing/every-collection'
import { runToEnd, startCommand } from '@parley/service-kit/testing/start-process'
import { openDatabaseOf } from '@parley/service-kit/testing/test-database'
import { expect } from 'vitest'
import { z } from 'zod'
import { ask, type Browser, profileFolder, type startCells } from './two-cells.ts'

const command = `${profileFolder}/move-workspace.ts`
/** A picture of one point. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Cells = Awaited<ReturnType<typeof startCells>>
const textsSchema = z.array(
  z.object({
    direction: z.string(),
    content: z.object({ text: z.string().optional(), caption: z.string().optional() }),
    status: z.string().optional(),
  }),
)
const sentSchema = z.object({
  items: z.array(z.object({ direction: z.string(), callbackData: z.string().nullable() })),
})
const json = { 'content-type': 'application/json' }

/** The command of an operator, with the stores of both cells. */
export function operator({ profileStores, stores }: Cells) {
  const cellStores = Object.fromEntries(
    Object.entries(stores).map(([name, { env, hooks }]) => [
      name,
      { messaging: env.messaging['MONGODB_URL'], automation: env.automation['MONGODB_URL'], hooks, links: hooks },
    ]),
  )
  const { MONGODB_URL, REDIS_URL, CELLS } = profileStores
  const env = { MONGODB_URL, REDIS_URL, CELLS, CELL_STORES: JSON.stringify(cellStores) }
  /** Starts the command, and waits until it has said something. */
  const startedUntil = async (said: string, ...args: string[]) => {
    const started = startCommand(command, env, args)
    let ended = false
    void started.exit.then(() => {
      ended = true
    })
    // Often: the command is to be met where it is.
    await expect.poll(() => ended || started.output().includes(said), { interval: 5, timeout: 240_000 }).toBe(true)
    expect(started.output()).toContain(said)
    return started
  }
  return {
    run: (...args: string[]) => runToEnd(command, env, args),
    startedUntil,
    /** Starts the command, and kills it as soon as it has said something. */
    killedAt: async (said: string, ...args: string[]) => {
      await (await startedUntil(said, ...args)).kill()
    },
  }
}

/** Has a person's workspace connected with a number, which one customer has written to. */
export async function connected(browser: Browser, simulator: string, from: string) {
  const { workspaceId } = await ask(browser, 'GET', '/api/auth/user')
  const number = numbersApi.simulate.response.parse(await ask(browser, 'POST', '/api/numbers/simulated'))
  const { phoneNumberId } = number
  const act = async (path: string, body: object) => {
    const answer = await fetch(`${simulator}/sim${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
  }
  const write = (text: string) =>
    act('/inbound', { phone_number_id: phoneNumberId, from, type: 'text', text: { body: text } })
  await write('first')
  const conversations = async () => (await ask(browser, 'GET', '/api/conversations')).items
  await expect.poll(conversations).toHaveLength(1)
  const [{ id }] = await conversations()
  const path = `/api/conversations/${id}/messages`
  /** Returns all messages of the conversation, however many pages they are on. */
  const messages = async () => {
    const found: z.infer<typeof textsSchema> = []
    for (let cursor = ''; ; ) {
      const page = await ask(browser, 'GET', `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      found.push(...textsSchema.parse(page.items))
      if (!page.nextCursor) return found
      cursor = page.nextCursor
    }
  }
  /** Returns the words of messages, of both directions or one. */
  const texts = async (of?: string): Promise<string[]> =>
    (await messages()).flatMap(({ direction, content: { text, caption = '' } }) =>
      of === undefined || direction === of ? (text ?? caption) : [],
    )
  const send = (content: object, over: object = {}) =>
    browser.send('POST', path, { body: JSON.stringify({ content, ...over }), headers: json })
  const reply = (text: string) => send({ type: 'text', text })
  const statuses = async (): Promise<string[]> =>
    (await messages()).flatMap(({ direction, status = '' }) => (direction === 'outbound' ? status : []))
  /** Returns what WhatsApp was asked to send, each as often as it was asked. */
  const sent = async (): Promise<string[]> => {
    const answer = await fetch(`${simulator}/sim/messages?phone_number_id=${phoneNumberId}`)
    return sentSchema
      .parse(await answer.json())
      .items.flatMap(({ direction, callbackData }) => (direction === 'outbound' ? (callbackData ?? '') : []))
  }
  return { workspaceId, numberId: number.id, act, write, texts, send, reply, statuses, sent }
}

/** Has a campaign sent to contacts of their own. @returns what reads its counts. */
export async function launch(browser: Browser, numberId: string, recipients: number) {
  for (let nth = 0; nth < recipients; nth += 1)
    await ask(browser, 'POST', '/api/contacts', { name: `Asha ${nth}`, phone: `+9198123500${10 + nth}`, tags: ['tea'] })
  const template = await ask(browser, 'POST', '/api/templates', {
    name: 'tea_has_come',
    language: 'en',
    category: 'utility',
    body: 'Hi, your order of tea has arrived and waits for you in the shop.',
    buttons: [],
    examples: {},
  })
  const path = `/api/templates/${template.id}`
  await expect.poll(async () => (await ask(browser, 'GET', path)).status).toBe('approved')
  const audience = { kind: 'tags', tags: ['tea'] }
  const fields = { name: 'Tea', numberId, templateId: template.id, variables: {}, audience }
  const { id, version } = await ask(browser, 'POST', '/api/campaigns', fields)
  await ask(browser, 'POST', `/api/campaigns/${id}/preflight`, { version })
  const review = () => ask(browser, 'GET', `/api/campaigns/${id}/preflight`)
  await expect.poll(async () => (await review()).state).toBe('ready')
  const { id: preflightId, warnings } = await review()
  const accepted = warnings.map(({ code }: { code: string }) => code)
  await ask(browser, 'POST', `/api/campaigns/${id}/launch`, { preflightId, accepted })
  return () => ask(browser, 'GET', `/api/campaigns/${id}`)
}

/** Returns the collections in which a cell has something of a workspace, and the chunks of all files that it has. */
export async function leftIn({ env }: Cells['stores']['home'], workspaceId: string) {
  const found = new Set<string>()
  let chunks = 0
  for (const service of ['messaging', 'automation'] as const) {
    const connection = await openDatabaseOf(env[service]['MONGODB_URL'] ?? '')
    for (const name of Object.keys(await everythingOf(connection, workspaceId))) found.add(name)
    if (service === 'messaging') chunks = await connection.collection('mediaFiles.chunks').countDocuments()
    await connection.close()
  }
  return { collections: [...found], chunks }
}

/** @returns the id of a picture that was uploaded. */
export async function upload(browser: Browser): Promise<string> {
  const answer = await browser.send('POST', '/api/media', {
    body: new Uint8Array(picture),
    headers: { 'content-type': 'image/png' },
  })
  expect(answer.status).toBe(201)
  return z.object({ id: z.string() }).parse(await answer.json()).id
}

import { createServer } from 'node:http'
import type { InternalAction } from '@parley/contracts/automation/internal-actions'

/**
 * Messaging as far as bots call it, in memory: its answers cost next to nothing, and are the same for the worker and for the bare
 * loop. `POST /bench/say {workspaceIds, customers, texts}` has new customers say each of the texts, all of them the first one first;
 * `GET /bench/figures` says how much was asked, and between which moments.
 */
interface Log {
  events: object[]
  readUpTo: number
}
const logs = new Map<string, Log>()
const snapshots = new Map<string, object>()
const figures = { calls: 0, sends: 0, requests: 0, firstAt: 0, lastAt: 0 }
let ids = 0
function newId(): string {
  ids += 1
  return ids.toString(16).padStart(24, '0')
}
const numberId = newId()
const epochAt = new Date(0).toISOString()

const logOf = (workspaceId: string): Log => {
  const known = logs.get(workspaceId) ?? { events: [], readUpTo: 0 }
  logs.set(workspaceId, known)
  return known
}

const snapshotOf = (contactId: string, conversationId: string, owner: object) => ({
  contact: {
    id: contactId,
    version: 1,
    createdAt: epochAt,
    updatedAt: epochAt,
    name: 'Asha Rao',
    phone: '+919812345678',
    tags: ['vip'],
    attributes: { City: 'Pune' },
    optIn: { marketing: 'in', source: 'manual', at: epochAt },
    lastContactAt: null,
    source: 'inbound',
    blocked: false,
  },
  conversation: {
    id: conversationId,
    numberId,
    status: 'open',
    owner,
    epoch: 1,
    windowExpiresAt: null,
    personAt: null,
  },
})

/** A new customer each time: nobody's session is in the way. */
function say({ workspaceIds, customers, texts }: { workspaceIds: string[]; customers: number; texts: string[] }): void {
  const at = new Date().toISOString()
  for (const workspaceId of workspaceIds) {
    const { events } = logOf(workspaceId)
    const people = Array.from({ length: customers }, () => [newId(), newId()] as const)
    for (const [index, text] of texts.entries())
      for (const [contactId, conversationId] of people) {
        const owner = index === 0 ? { kind: 'nobody' } : { kind: 'bot' }
        const snapshot = snapshotOf(contactId, conversationId, owner)
        snapshots.set(conversationId, snapshotOf(contactId, conversationId, { kind: 'bot' }))
        events.push({
          id: newId(),
          seq: events.length + 1,
          workspaceId,
          type: 'message.changed',
          at,
          recordedAt: at,
          by: { kind: 'contact' },
          chain: [],
          contactId,
          conversationId,
          snapshot,
          data: {
            messageId: newId(),
            conversationId,
            direction: 'inbound',
            status: null,
            created: true,
            said: { type: 'text', text },
          },
        })
      }
  }
  Object.assign(figures, { calls: 0, sends: 0, firstAt: Date.now(), lastAt: 0 })
}

function act({ conversationId, actions }: { conversationId: string; actions: InternalAction[] }): object | undefined {
  const snapshot = snapshots.get(conversationId)
  if (!snapshot) return undefined
  figures.calls += 1
  const results = actions.map(({ key, type }) => {
    if (type !== 'send') return { key, outcome: 'done' }
    figures.sends += 1
    figures.lastAt = Date.now()
    return { key, outcome: 'done', messageId: newId() }
  })
  return { results, facts: { epoch: 2, heldByPerson: false, snapshot, now: new Date().toISOString() } }
}

createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const body = text === '' ? undefined : JSON.parse(text)
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bench')
  const answer = (json?: object, status = json === undefined ? 204 : 200) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(json === undefined ? undefined : JSON.stringify(json))
  }
  const [, claims] = (request.headers.authorization ?? '').split('.')
  if (pathname.startsWith('/internal')) figures.requests += 1
  const log = logOf(claims === undefined ? '' : JSON.parse(Buffer.from(claims, 'base64url').toString()).wid)
  switch (`${request.method} ${pathname}`) {
    case 'POST /bench/say':
      say(body)
      return answer()
    case 'GET /bench/figures':
      return answer(figures)
    case 'GET /internal/events/due':
      return answer({
        workspaceIds: [...logs].flatMap(([id, { events, readUpTo }]) => (readUpTo < events.length ? id : [])),
      })
    case 'GET /internal/events': {
      const head = log.events.length
      if (!searchParams.has('after')) return answer({ items: [], upTo: head, head })
      const after = Number(searchParams.get('after'))
      const items = log.events.slice(after, after + Number(searchParams.get('limit') ?? 100))
      return answer({ items, upTo: after + items.length, head })
    }
    case 'POST /internal/events/read':
      log.readUpTo = Math.max(log.readUpTo, body.upTo)
      return answer()
    case 'POST /internal/actions': {
      const done = act(body)
      return done ? answer(done) : answer({ code: 'not_found', message: 'Gone.', requestId: 'r' }, 404)
    }
    case 'POST /internal/lookups': {
      const numbers = [{ id: numberId, name: 'Bench', businessAccountId: 'b' }]
      const consentWords = { stop: ['STOP'], stopAll: ['STOP ALL'], start: ['START'], ignored: [] }
      const openingHours = { timeZone: 'UTC', spans: [], closedOn: [] }
      return answer({ numbers, fields: [], templates: [], consentWords, openingHours, sampleData: { state: 'none' } })
    }
    case 'GET /internal/members':
      return answer({ items: [] })
    default:
      return answer({})
  }
}).listen(Number(process.env['PORT']), '127.0.0.1')

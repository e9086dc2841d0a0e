import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Role } from '@parley/contracts/account/permissions'
import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { defaultConsentSettings } from '@parley/contracts/contacts/consent'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { OwnWords } from '@parley/rules/consent-commands'
import { freePort } from '@parley/service-kit/testing/free-port'
import { decodeJwt } from 'jose'

/** State of the stand-in for messaging and profile, for tests that need their answers only. */
interface Workspace {
  numbers: { id: string; name: string; businessAccountId: string }[]
  fields: { id: string; name: string; type: 'text' }[]
  templates: { id: string; name: string; status: string; placeholders: string[] }[]
  members: { id: string; name: string; role: Role; active: boolean }[]
  consentWords: OwnWords
  sampleData: { state: string; toldAt?: string }
  /** Messaging's log of events, and the number up to which it was read. */
  events: RecordedEvent[]
  readUpTo: number
  /** Conversations that no bot wanted. */
  passed: string[]
  /** Calls with actions of bots, in their order. */
  acts: { conversationId: string; actions: InternalAction[] }[]
  /** States of bots that messaging was told, the newest last. */
  told: ToldState[]
  /** Bots that could not go on, each call. */
  failures: BotFailure[]
  /** Conversations that agents see; absent: all. */
  visible?: readonly string[]
}
type BotFailure = EndpointInput<typeof messagingInternalApi.botFailures>['body']

interface ToldState {
  readonly active: boolean
  readonly numberIds?: readonly string[]
  readonly returnHours?: number
  readonly routingVersion: number
}

/** Starts a stand-in of messaging and profile. */
export async function startOthers() {
  const workspaces = new Map<string, Workspace>()
  let isAway = false
  const of = (workspaceId: string): Workspace => {
    const known = workspaces.get(workspaceId) ?? {
      numbers: [],
      fields: [],
      templates: [],
      members: [],
      consentWords: defaultConsentSettings,
      sampleData: { state: 'none' },
      events: [],
      readUpTo: 0,
      passed: [],
      acts: [],
      told: [],
      failures: [],
    }
    workspaces.set(workspaceId, known)
    return known
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
    const { wid } = decodeJwt(request.headers.authorization?.replace('Bearer ', '') ?? '')
    const workspace = of(String(wid))
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const answer = (status: number, json?: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(json === undefined ? '' : JSON.stringify(json))
    if (isAway) return answer(503, { code: 'service_unavailable', message: 'Away.', requestId: 'r' })
    const { numbers, fields, templates, members, events, consentWords, sampleData } = workspace
    switch (`${request.method} ${pathname}`) {
      case 'POST /internal/lookups':
        return answer(200, {
          numbers,
          fields,
          templates: templates.filter(({ id }) => body.templateIds.includes(id)),
          consentWords,
          openingHours: { timeZone: 'UTC', spans: [], closedOn: [] },
          sampleData,
        })
      case 'PUT /internal/automation-state':
        workspace.told.push(body)
        return answer(204)
      case 'GET /internal/events':
        return answer(200, {
          items: searchParams.has('after') ? events.slice(Number(searchParams.get('after'))) : [],
          upTo: events.length,
          head: events.length,
        })
      case 'GET /internal/events/history':
        return answer(200, { after: 0, head: events.length })
      case 'POST /internal/events/read':
        workspace.readUpTo = Math.max(workspace.readUpTo, body.upTo)
        workspace.passed.push(...body.passed)
        return answer(204)
      case 'GET /internal/events/due':
        return answer(200, {
          workspaceIds: [...workspaces].flatMap(([id, { readUpTo, events: all }]) => (readUpTo < all.length ? id : [])),
        })
      case 'POST /internal/actions': {
        workspace.acts.push(body)
        const about = events.findLast(({ conversationId }) => conversationId === body.conversationId)
        if (!about) return answer(404, { code: 'not_found', message: 'Gone.', requestId: 'r' })
        return answer(200, {
          results: body.actions.map(({ key }: InternalAction) => ({ key, outcome: 'done' })),
          facts: { epoch: 1, heldByPerson: false, snapshot: about.snapshot, now: new Date().toISOString() },
        })
      }
      case 'POST /internal/contacts':
        if (body.of.phone !== undefined) return answer(200, { ids: [], items: [] })
        return body.of.segmentId === 'all'
          ? answer(200, { ids: [], items: [], total: 0 })
          : answer(404, { code: 'not_found', message: 'There is no such segment.', requestId: 'r' })
      case 'POST /internal/visible-conversations': {
        const { visible } = workspace
        const seen = body.conversationIds.filter((id: string) => !visible || visible.includes(id))
        return answer(200, { all: visible === undefined, visible: seen })
      }
      case 'POST /internal/bot-failures':
        workspace.failures.push(body)
        return answer(204)
      case 'GET /internal/members':
        return answer(200, { items: members.filter(({ id }) => searchParams.getAll('ids').includes(id)) })
      default:
        return answer(404, { code: 'not_found', message: 'No such call.', requestId: 'r' })
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the state of a workspace, which a test may change. */
    of,
    /** Has every call fail, until it is told otherwise. */
    away: (value: boolean) => {
      isAway = value
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

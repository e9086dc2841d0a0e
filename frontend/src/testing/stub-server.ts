import { getResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { vi } from 'vitest'
import { workspaceHandlers } from './workspace/handlers.ts'
import { createWorkspace, type Workspace } from './workspace/workspace.ts'

interface StubCall {
  readonly method: string
  readonly path: string
  /** Parameters behind the path, without the question mark. */
  readonly search: string
  readonly headers: Headers
  readonly body: string | undefined
}

type Answer = Response | { status?: number; json?: unknown; text?: string }
/** `undefined`: the workspace answers. */
type Handler = (call: StubCall, nth: number) => Answer | undefined | Promise<Answer | undefined>

const network = setupServer()
let isListening = false

/** Closes the network for later files of the same worker. */
export function closeNetwork(): void {
  if (isListening) network.close()
  isListening = false
}

const domFetch = globalThis.fetch

/** A call as it was made: what the page has asked for is known at once, not only when the server hears of it. */
function callOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}): StubCall {
  const url = new URL(input instanceof Request ? input.url : String(input), window.location.href)
  return {
    method: init.method ?? (input instanceof Request ? input.method : 'GET'),
    path: url.pathname,
    search: url.search.slice(1),
    headers: new Headers(init.headers ?? (input instanceof Request ? input.headers : {})),
    body: typeof init.body === 'string' || init.body instanceof URLSearchParams ? String(init.body) : undefined,
  }
}

/** A browser's `fetch` rejects with a TypeError where no answer comes; that of the tests' DOM does not. */
const fetchNotedBy =
  (note: (call: StubCall) => void): typeof fetch =>
  async (input, init) => {
    note(callOf(input, init))
    try {
      return await domFetch(input, init)
    } catch (error) {
      throw error instanceof DOMException && error.name === 'NetworkError' ? new TypeError('Failed to fetch') : error
    }
  }

/**
 * Answers what the page sends in place of the BFF. Keys read `GET /auth/session`. What they do not name is answered from a workspace
 * with sample data; any other call, and a handler that throws, is a failing network.
 * @param records number of contacts and conversations of the workspace; the sample's own if absent, 0 for an empty workspace.
 * @returns the calls so far, in order, a way to change an answer, and the workspace.
 */
export function stubServer(handlers: Record<string, Handler>, { records }: { records?: number | undefined } = {}) {
  const calls: StubCall[] = []
  const answered = new Map<string, number>()
  const answers = new Map(Object.entries(handlers))
  // Created when it is first requested: signing in needs none.
  let made: { workspace: Workspace; handlers: ReturnType<typeof workspaceHandlers> } | undefined
  const served = () => {
    const workspace = made?.workspace ?? createWorkspace(records)
    made ??= { workspace, handlers: workspaceHandlers(workspace) }
    return made
  }
  if (!isListening) network.listen()
  isListening = true
  vi.stubGlobal(
    'fetch',
    fetchNotedBy((call) => calls.push(call)),
  )
  network.resetHandlers(
    http.all('*', async ({ request }) => {
      const { pathname, search } = new URL(request.url)
      const body = await request.clone().text()
      const call: StubCall = {
        method: request.method,
        path: pathname,
        search: search.slice(1),
        headers: new Headers(request.headers),
        body: body === '' ? undefined : body,
      }
      const key = `${call.method} ${call.path}`
      const handler = answers.get(key)
      const nth = (answered.get(key) ?? 0) + 1
      if (handler) answered.set(key, nth)
      const answer = await (async () => handler?.(call, nth))().catch(() => Response.error())
      if (answer instanceof Response) return answer
      // A stream on which nothing happens.
      if (!answer && key === 'GET /api/events') return stubEvents().response()
      if (!answer) return (await getResponse(served().handlers, request)) ?? Response.error()
      const { status = 200, json, text } = answer
      const type = { 'Content-Type': 'application/json' }
      return new Response(json === undefined ? (text ?? null) : JSON.stringify(json), { status, headers: type })
    }),
  )
  return {
    calls,
    answer: (key: string, handler: Handler) => void answers.set(key, handler),
    count: (key: string) => calls.filter((call) => `${call.method} ${call.path}` === key).length,
    get workspace() {
      return served().workspace
    },
  }
}

/** A stream of events as the server tells them, for a handler of `GET /api/events`. */
export function stubEvents() {
  const encoder = new TextEncoder()
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>()
  let last = 0
  const write = (text: string) => {
    for (const controller of open) controller.enqueue(encoder.encode(text))
  }
  return {
    response: () => {
      let streamController: ReadableStreamDefaultController<Uint8Array>
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streamController = controller
          open.add(controller)
          controller.enqueue(encoder.encode('retry: 2000\n\n'))
        },
        cancel: () => void open.delete(streamController),
      })
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
    },
    send: (name: string, data: unknown) => {
      last += 1
      write(`id: ${last}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    /** The server goes away. */
    end: () => {
      for (const controller of open) controller.close()
      open.clear()
    },
    readers: () => open.size,
  }
}

let seq = 0
/** A recorded event of the workspace. */
export function eventOf(type: string, data: unknown, version?: number) {
  seq += 1
  const at = new Date().toISOString()
  const by = { kind: 'contact' }
  return { id: `event-${seq}`, seq, workspaceId: 'workspace-1', type, at, recordedAt: at, by, chain: [], data, version }
}

const base64url = (value: unknown) =>
  btoa(JSON.stringify(value)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')

/** Claims of a verified person with a password, unless told otherwise. */
export const claimsOf = (over: Record<string, unknown> = {}) => ({
  iss: 'http://127.0.0.1/realms/parley',
  sub: 'asha',
  aud: 'bff-web',
  exp: Math.floor(Date.now() / 1000) + 300,
  iat: Math.floor(Date.now() / 1000),
  email: 'asha@example.com',
  email_verified: true,
  name: 'Asha Rao',
  ...over,
})

export const tokensOf = (claims: Record<string, unknown> = claimsOf()) => ({
  id_token: `${base64url({ alg: 'RS256' })}.${base64url(claims)}.c2ln`,
  access_token: 'cookie',
  token_type: 'Bearer',
  scope: 'openid profile email',
  expires_in: 300,
})

export const sessionOf = (claims: Record<string, unknown> = claimsOf()) => ({
  authenticated: true,
  ...tokensOf(claims),
  claims,
})

export const userOf = (over: Record<string, unknown> = {}) => ({
  id: 'user-1',
  version: 1,
  email: 'asha@example.com',
  firstName: 'Asha',
  lastName: 'Rao',
  mobile: '+919876543210',
  address: '',
  timezone: 'Asia/Kolkata',
  profileImageUrl: '',
  workspaceId: 'workspace-1',
  workspaceName: 'Chai & Co',
  role: 'owner',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...over,
})

/** A workspace of which the signed-in person is the only member. */
export function onlyMember() {
  const at = '2026-01-01T00:00:00.000Z'
  const { id: userId, email } = userOf()
  const stored = { id: 'member-1', version: 1, createdAt: at, updatedAt: at, lastSeenAt: null }
  const items = [{ ...stored, userId, name: 'Asha Rao', email, role: 'owner', status: 'active' }]
  return { json: { items, total: 1, nextCursor: null, previousCursor: null } }
}

/** The signed-in person with this role in the workspace. */
export const userWithRole = (role: string) => ({ json: userOf({ role }) })

/** Handlers of a BFF where a person is signed in and everything works. */
export const signedInServer = (claims = claimsOf(), user = userOf()): Record<string, Handler> => ({
  'GET /auth/session': () => ({ json: sessionOf(claims) }),
  'POST /api/auth/sync': () => ({ json: user }),
  'GET /api/auth/user': () => ({ json: user }),
})

export const signedOutServer: Record<string, Handler> = {
  'GET /auth/session': () => ({ json: { authenticated: false } }),
  'GET /v1/projects': () => ({ json: { projectId: 'parley', authorizedDomains: ['localhost'] } }),
}

export const errorOf = (code: string, message: string) => ({ code, message, requestId: 'request-1' })

/** A service that is away. */
export const unavailable = () => ({ status: 503, json: errorOf('service_unavailable', 'Try again shortly.') })

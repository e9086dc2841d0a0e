import { channel, tracingChannel } from 'node:diagnostics_channel'
import { ClientRequest, IncomingMessage } from 'node:http'
import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { z } from 'zod'

/*
 * Calls are followed over the diagnostics channels which Node's fetch and http client, ioredis and mongoose publish on: no module is
 * patched, so it does not matter how or when they were imported. Their messages hold bodies, arguments, filters and query
 * strings too: those are never read here.
 */

/** Traces every call that a traced request makes: HTTP, Redis, MongoDB. Calls outside a request are left out. */
export function followCalls(tracer: Tracer, propagator: TextMapPropagator): void {
  const start = (name: string, attributes: Attributes): Span | undefined =>
    trace.getSpan(context.active())?.isRecording()
      ? tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes })
      : undefined
  followFetch(start, propagator)
  followHttpClient(start, propagator)
  followPromises('ioredis:command', start, describeCommand)
  followPromises('mongoose:query', start, describeQuery)
}

type Start = (name: string, attributes: Attributes) => Span | undefined
type Description = readonly [name: string, attributes: Attributes]

const commandSchema = z.object({ command: z.string() })
const describeCommand = (message: unknown): Description => {
  const operation = commandSchema.parse(message).command.toUpperCase()
  return [operation, { 'db.system.name': 'redis', 'db.operation.name': operation }]
}

const querySchema = z.object({ operation: z.string(), collection: z.string() })
const describeQuery = (message: unknown): Description => {
  const { operation, collection } = querySchema.parse(message)
  const attributes = {
    'db.system.name': 'mongodb',
    'db.operation.name': operation,
    'db.collection.name': collection,
  }
  return [`${operation} ${collection}`, attributes]
}

/** A library that publishes on a tracing channel from a call's start to its promise's end. */
function followPromises(name: string, start: Start, describe: (message: unknown) => Description): void {
  const spans = new WeakMap<object, Span>()
  tracingChannel<unknown, object>(name).subscribe({
    start: (message) => {
      const span = start(...describe(message))
      if (span) spans.set(message, span)
    },
    error: (message) => void spans.get(message)?.setStatus({ code: SpanStatusCode.ERROR }),
    asyncEnd: (message) => spans.get(message)?.end(),
    end: () => undefined,
    asyncStart: () => undefined,
  })
}

interface FetchRequest {
  readonly origin?: string | URL
  readonly method: string
  readonly path: string
  addHeader(name: string, value: string): unknown
}
interface FetchMessage {
  readonly request: FetchRequest
  readonly response?: { readonly statusCode: number }
}

/** Returns the attributes of a call that are no secret. */
function describeCall(
  method: string,
  url: { readonly host: string; readonly port: string; readonly path: string },
): Description {
  const path = patternOf(url.path)
  const attributes = {
    'http.request.method': method,
    'server.address': url.host,
    ...(url.port && { 'server.port': Number(url.port) }),
    'url.path': path,
  }
  return [`${method} ${path}`, attributes]
}

function recordStatus(span: Span | undefined, status: number): void {
  span?.setAttribute('http.response.status_code', status)
  if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR })
}

const onwardFrom = (span: Span | undefined) => (span ? trace.setSpan(context.active(), span) : context.active())

function followFetch(start: Start, propagator: TextMapPropagator): void {
  const spans = new WeakMap<FetchRequest, Span>()
  const on = (event: string, listen: (message: FetchMessage) => void) =>
    // undici's docs/api/DiagnosticsChannel.md describes what is published here.
    channel(`undici:request:${event}`).subscribe((message) => listen(message as FetchMessage))

  on('create', ({ request }) => {
    const { hostname, port } = new URL(String(request.origin))
    const span = start(...describeCall(request.method, { host: hostname, port, path: request.path }))
    if (span) spans.set(request, span)
    propagator.inject(onwardFrom(span), request, { set: (carrier, name, value) => carrier.addHeader(name, value) })
  })
  on('headers', ({ request, response }) => {
    recordStatus(spans.get(request), response?.statusCode ?? 0)
  })
  on('trailers', ({ request }) => spans.get(request)?.end())
  on('error', ({ request }) => {
    spans.get(request)?.setStatus({ code: SpanStatusCode.ERROR })
    spans.get(request)?.end()
  })
}

const clientMessageSchema = z.object({
  request: z.instanceof(ClientRequest),
  response: z.instanceof(IncomingMessage).optional(),
})

/** Traces calls by `node:http`, which the BFF's proxy makes. */
function followHttpClient(start: Start, propagator: TextMapPropagator): void {
  const spans = new WeakMap<ClientRequest, Span>()
  const on = (event: string, listen: (message: z.infer<typeof clientMessageSchema>) => void) =>
    channel(`http.client.${event}`).subscribe((message) => listen(clientMessageSchema.parse(message)))

  on('request.created', ({ request }) => {
    const { method, path, host } = request
    const port = /:(\d+)$/.exec(String(request.getHeader('host')))?.[1] ?? ''
    const span = start(...describeCall(method, { host, port, path }))
    if (!span) return
    spans.set(request, span)
    request.once('close', () => span.end())
    propagator.inject(onwardFrom(span), request, { set: (carrier, name, value) => carrier.setHeader(name, value) })
  })
  on('response.finish', ({ request, response }) => recordStatus(spans.get(request), response?.statusCode ?? 0))
  on('request.error', ({ request }) => void spans.get(request)?.setStatus({ code: SpanStatusCode.ERROR }))
}

/** Keeps words only: segments that identify a person or thing are replaced, and the query is left out. */
const patternOf = (path: string): string =>
  path
    .replace(/[?#].*$/s, '')
    .split('/')
    .map((segment) => (/^(?:[a-z][a-z0-9.-]{0,21})?$/.test(segment) ? segment : ':id'))
    .join('/')

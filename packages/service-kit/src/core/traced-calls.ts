import { channel, tracingChannel } from 'node:diagnostics_channel'
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
 * Calls are followed over the diagnostics channels which Node's fetch, undici, ioredis and mongoose publish on: no module is
 * patched, so it does not matter how or when they were imported. Their messages hold bodies, arguments, filters and query
 * strings too: those are never read here.
 */

/** Follows every call that a traced request makes: HTTP, Redis, MongoDB. Calls outside a request are nobody's and left out. */
export function followCalls(tracer: Tracer, propagator: TextMapPropagator): void {
  const start = (name: string, attributes: Attributes): Span | undefined =>
    trace.getSpan(context.active())?.isRecording()
      ? tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes })
      : undefined
  followHttp(start, propagator)
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

interface HttpRequest {
  readonly origin?: string | URL
  readonly method: string
  readonly path: string
  addHeader(name: string, value: string): unknown
}
interface HttpMessage {
  readonly request: HttpRequest
  readonly response?: { readonly statusCode: number }
}

function followHttp(start: Start, propagator: TextMapPropagator): void {
  const spans = new WeakMap<HttpRequest, Span>()
  const on = (event: string, listen: (message: HttpMessage) => void) =>
    // What is published here is described in undici's docs/api/DiagnosticsChannel.md.
    channel(`undici:request:${event}`).subscribe((message) => listen(message as HttpMessage))

  on('create', ({ request }) => {
    const { hostname, port } = new URL(String(request.origin))
    const path = patternOf(request.path)
    const span = start(`${request.method} ${path}`, {
      'http.request.method': request.method,
      'server.address': hostname,
      ...(port && { 'server.port': Number(port) }),
      'url.path': path,
    })
    if (span) spans.set(request, span)
    const onward = span ? trace.setSpan(context.active(), span) : context.active()
    propagator.inject(onward, request, { set: (carrier, name, value) => carrier.addHeader(name, value) })
  })
  on('headers', ({ request, response }) => {
    const status = response?.statusCode ?? 0
    spans.get(request)?.setAttribute('http.response.status_code', status)
    if (status >= 400) spans.get(request)?.setStatus({ code: SpanStatusCode.ERROR })
  })
  on('trailers', ({ request }) => spans.get(request)?.end())
  on('error', ({ request }) => {
    spans.get(request)?.setStatus({ code: SpanStatusCode.ERROR })
    spans.get(request)?.end()
  })
}

/** Words only: whatever stands for somebody or something is left out, and the query with it. */
const patternOf = (path: string): string =>
  path
    .replace(/[?#].*$/s, '')
    .split('/')
    .map((segment) => (/^(?:[a-z][a-z0-9.-]{0,21})?$/.test(segment) ? segment : ':id'))
    .join('/')

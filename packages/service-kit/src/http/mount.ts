import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type Endpoint, type EndpointInput, type EndpointResponse, isAudited } from '@parley/contracts/core/endpoint'
import { type ParsedAnswer, parseAnswer } from '@parley/contracts/core/parse-answer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runAudited } from '../core/call-context.ts'
import { errors } from '../core/errors.ts'
import { parseInput } from '../core/parse-input.ts'
import { auditedCallOf } from './audited-call.ts'
import { checkAction } from './authority.ts'
import { type ContextFor, keyContext, serviceContext, userContext } from './context.ts'
import { type FileAnswer, sendFile } from './file-answer.ts'
import { answerOnce } from './idempotency.ts'
import { acceptRawBodies, acceptStreamedBodies } from './received-bodies.ts'
import { type EventsInput, type StreamEvent, sendEvents } from './send-events.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts records that were left out of lists, by operation; null in a process without this metric. */
    countLeftOut: ((operation: string, count: number) => void) | null
  }
  interface FastifyContextConfig {
    /** Endpoint that the route was mounted from. */
    endpoint?: Endpoint
    /** Name in the log and the metrics of a route that has no endpoint. */
    operation?: string
  }
}

/** Limit for uploads and downloads, which depend on people's connections. */
const transferTimeoutMs = 10 * 60_000
/** Limit above the longest wait of an endpoint that waits. */
const waitTimeoutMs = 50_000

type ReceivedBody<E extends Endpoint> = E['bodyType'] extends 'raw'
  ? Buffer
  : E['bodyType'] extends 'stream'
    ? Readable
    : EndpointInput<E>['body']

/** Signatures, media types and file names travel in the headers of a body that is no JSON. */
type Headers<E extends Endpoint> = E['bodyType'] extends 'raw' | 'stream' ? { headers: IncomingHttpHeaders } : unknown

/** Input of a handler: the parsed parts of the request and the caller. */
type HandlerInput<E extends Endpoint> = Omit<EndpointInput<E>, 'body'> & {
  readonly body: ReceivedBody<E>
  readonly ctx: ContextFor<E>
} & Headers<E> &
  (E['responseType'] extends 'events' ? EventsInput : unknown)

/** A handler without a response schema need not return anything. */
// biome-ignore lint/suspicious/noConfusingVoidType: `undefined` would refuse a handler whose service returns nothing.
type JsonResult<E extends Endpoint> = E['response'] extends z.ZodType ? EndpointResponse<E> : void
type Result<E extends Endpoint> = E['responseType'] extends 'stream'
  ? FileAnswer
  : E['responseType'] extends 'events'
    ? AsyncIterable<StreamEvent>
    : JsonResult<E>

type Handler<E extends Endpoint> = (input: HandlerInput<E>) => Promise<Result<E>> | Result<E>

/**
 * Serves an endpoint of the contracts. The input is parsed by its schemas, a JSON answer is parsed too, so that nothing
 * leaves which the contract does not name. Who may call is checked before, by the guarded scope.
 */
export function mount<const E extends Endpoint>(scope: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  const { bodyType = 'json' } = endpoint
  if (bodyType === 'json') {
    addRoute(scope, endpoint, handler)
    return
  }
  // Body parsers belong to a scope: this route gets one of its own.
  scope.register(async (routeScope) => {
    if (bodyType === 'raw') acceptRawBodies(routeScope)
    else acceptStreamedBodies(routeScope)
    addRoute(routeScope, endpoint, handler)
  })
}

function addRoute<E extends Endpoint>(scope: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  const { bodyType, responseType = 'json', bodyLimitBytes } = endpoint
  if (bodyType === 'stream' && bodyLimitBytes === undefined) {
    throw new Error(`${endpoint.operation}: a streamed body needs its bodyLimitBytes`)
  }
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    exposeHeadRoute: responseType === 'json',
    ...(bodyLimitBytes !== undefined && { bodyLimit: bodyLimitBytes }),
    ...((bodyType === 'stream' || responseType === 'stream') && { handlerTimeout: transferTimeoutMs }),
    ...(endpoint.waits && { handlerTimeout: waitTimeoutMs }),
    handler: async (request, reply) => {
      if (responseType === 'events') return answerWithEvents(endpoint, handler, request, reply)
      if (responseType === 'stream') {
        const input = readInput(endpoint, request)
        await sendFile(request, reply, (await withEntry(request, endpoint, input, () => handler(input))) as FileAnswer)
        return reply
      }
      const input = readInput(endpoint, request)
      checkAction(endpoint, input.body, request.caller)
      return answerOnce(request, reply, endpoint, async (intent) => {
        const call = intent ? { ...input, ctx: { ...input.ctx, intent } } : input
        const { body, leftOut } = parseAnswer(
          endpoint.response,
          await withEntry(request, endpoint, call, () => handler(call)),
        )
        if (leftOut.length > 0) logLeftOut(request, endpoint, leftOut)
        return body
      })
    },
  })
}

/** Carries out a call together with its entry in the audit log, where it has one. */
async function withEntry<T>(
  request: FastifyRequest,
  endpoint: Endpoint,
  input: { params?: unknown; body?: unknown },
  work: () => Promise<T> | T,
): Promise<T> {
  const { audit } = request.server
  const call = audit && isAudited(endpoint) ? auditedCallOf(request, endpoint, input) : undefined
  if (!audit || !call) return work()
  const result = await runAudited(call, async () => work())
  if (call.entry !== 'done') await audit.recordCall(call)
  return result
}

/** Logs which records were left out: only operators can repair a record that its own contract refuses. */
function logLeftOut(request: FastifyRequest, { operation }: Endpoint, leftOut: ParsedAnswer['leftOut']): void {
  request.server.countLeftOut?.(operation, leftOut.length)
  const records = leftOut.slice(0, 10).map(({ id, error }) => ({ id, problem: z.prettifyError(error).slice(0, 500) }))
  request.log.error({ operation, records, count: leftOut.length }, 'records cannot be told and were left out of a list')
}

async function answerWithEvents<E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const ctx = readContext(request)
  const stream = request.server.openStreams.open(request.caller)
  try {
    const { 'last-event-id': lastEventId } = request.headers
    const input = { ...readInput(endpoint, request), ctx, signal: stream.signal, lastEventId: textOf(lastEventId) }
    const events = (await handler(input)) as AsyncIterable<StreamEvent>
    return sendEvents(request, reply, { events, stream })
  } catch (error) {
    stream.close()
    throw error
  }
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 200 ? value : undefined

function readInput<E extends Endpoint>(endpoint: E, request: FastifyRequest): HandlerInput<E> {
  const part = (name: 'params' | 'query' | 'body') => {
    const schema = endpoint[name]
    if (!schema) return undefined
    const parsed = parseInput(schema, request[name], name)
    if (request.caller?.kind === 'key') refuseUnknownFields(schema, request[name])
    return parsed
  }
  const isJson = endpoint.bodyType === undefined || endpoint.bodyType === 'json'
  const input = {
    params: part('params'),
    query: part('query'),
    body: isJson ? part('body') : request.body,
    ...(!isJson && { headers: request.headers }),
    ctx: readContext(request),
  }
  // The schemas, the body's parser and the guard's check of `access` establish what the conditional types spell out.
  return input as HandlerInput<E>
}

/** Programs are told of a name that is not known; the page is of one piece with what it calls. @throws `validation_failed`. */
function refuseUnknownFields(schema: z.ZodType, value: unknown): void {
  const unknown = unknownFields(schema, value)
  if (unknown.length > 0)
    throw errors.validation(Object.fromEntries(unknown.map((name) => [name, 'There is no such field.'])))
}

function readContext({ caller, id, viewer, routeOptions }: FastifyRequest) {
  if (caller?.kind === 'user') return userContext(caller.claims, { requestId: id, ...(viewer && { viewer }) })
  if (caller?.kind === 'key') return keyContext(caller.claims, { requestId: id })
  if (caller?.kind === 'service') return serviceContext(caller.claims, id)
  if (routeOptions.config.endpoint?.access === 'public') return { requestId: id }
  throw errors.unauthenticated({ detail: 'the route stands outside the guarded scope' })
}

/**
 * Fields of an input that its schema does not have, as paths: `template.valeus`. Schemas drop them, and a program that has mistyped a
 * name would never hear of it.
 * @param value what the schema takes.
 */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path = ''): string[] {
  const plain = withoutWrappers(schema)
  if (plain instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, index) => unknownFields(plain.element, item, join(path, String(index))))
  if (plain instanceof z.ZodUnion) {
    const taken = plain.options.filter((option) => z.safeParse(option, value).success)
    return taken.map((option) => unknownFields(option, value, path)).sort((a, b) => a.length - b.length)[0] ?? []
  }
  if (!(plain instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  const isOpen = plain.def.catchall !== undefined && !(plain.def.catchall instanceof z.ZodNever)
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(plain.shape, name) ? plain.shape[name] : undefined
    if (field) return unknownFields(field, inner, join(path, name))
    return isOpen ? [] : [join(path, name)]
  })
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Unwraps a schema: optional, nullable, with a default, lazy, or the input of a pipe. */
function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly)
    return withoutWrappers(schema.unwrap())
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return withoutWrappers(schema.unwrap())
  if (schema instanceof z.ZodPipe) return withoutWrappers(schema.in)
  return schema instanceof z.ZodLazy ? withoutWrappers(schema.unwrap()) : schema
}

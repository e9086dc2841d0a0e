import { type AuditChange, maxAuditChanges } from '@parley/contracts/account/audit'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuditedCall } from '../core/call-context.ts'
import { AppError } from '../core/errors.ts'
import type { AuditLog } from '../data/audit-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    audit: AuditLog | null
  }
}

type Told = Pick<AuditedCall, 'workspaceId' | 'actor' | 'action' | 'targets' | 'requestId' | 'personal'>

/** Returns the call of a member or a key as its audit entry tells it; `undefined` for other callers. */
export function auditedCallOf(
  request: FastifyRequest,
  endpoint: Endpoint,
  input: { params?: unknown; body?: unknown },
): AuditedCall | undefined {
  const told = describeCall(request, endpoint, input.params)
  if (!told) return undefined
  const { body } = endpoint
  return {
    ...told,
    changes: changesOf(body, input.body),
    isListed: (field, value): value is NonNullable<AuditChange['to']> =>
      body !== undefined && isListed(shapeOf(body, Object(input.body))[field], value),
    created: [],
    entry: undefined,
  }
}

function describeCall({ caller, id }: FastifyRequest, { operation }: Endpoint, params: unknown): Told | undefined {
  if (caller?.kind !== 'user' && caller?.kind !== 'key') return undefined
  const { sub, wid, ip, dev } = caller.claims
  const [resource = ''] = operation.split('.')
  return {
    workspaceId: wid,
    actor: caller.kind === 'user' ? { kind: 'member', id: sub } : { kind: 'key', id: sub.slice('key:'.length) },
    action: operation,
    targets: Object.entries(Object(params)).map(([name, value]) => ({
      kind: name === 'id' ? resource : name.replace(/Id$/, ''),
      id: String(value),
    })),
    requestId: id,
    personal: { ...(ip && { ip }), ...(dev && { device: dev }) },
  }
}

/** Fields that say nothing of what was changed. */
const technical = new Set(['version', 'revision', 'clientId'])

/** Tells the fields of a body: their values where the contract lists them, else their names alone. */
function changesOf(schema: z.ZodType | undefined, body: unknown): AuditChange[] {
  if (schema === undefined || typeof body !== 'object' || body === null) return []
  const shape = shapeOf(schema, body)
  return Object.entries(body)
    .filter(([field, value]) => value !== undefined && !technical.has(field) && field.length <= 64)
    .slice(0, maxAuditChanges)
    .map(([field, value]) => (isListed(shape[field], value) ? { field, to: value as AuditChange['to'] } : { field }))
}

type Shape = Readonly<Record<string, z.core.$ZodType>>

function shapeOf(schema: z.core.$ZodType, body: object): Shape {
  const inner = unwrap(schema)
  if (inner instanceof z.core.$ZodObject) return inner._zod.def.shape
  if (!(inner instanceof z.core.$ZodUnion)) return {}
  const option = inner._zod.def.options.find((candidate) => z.safeParse(candidate, body).success)
  return option ? shapeOf(option, body) : {}
}

/** Returns whether a value is one of those that the contract lists: a choice, a number, yes or no. */
function isListed(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  if (typeof value === 'boolean' || value === null || (typeof value === 'number' && Number.isFinite(value))) return true
  const inner = schema && unwrap(schema)
  if (Array.isArray(value))
    return (
      inner instanceof z.core.$ZodArray &&
      value.length <= 64 &&
      value.every((one) => isListed(inner._zod.def.element, one))
    )
  return typeof value === 'string' && value.length <= 64 && inner !== undefined && isChoice(inner)
}

const isChoice = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.core.$ZodEnum ||
  schema instanceof z.core.$ZodLiteral ||
  (schema instanceof z.core.$ZodUnion && schema._zod.def.options.every((option) => isChoice(unwrap(option))))

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodReadonly
  )
    return unwrap(schema._zod.def.innerType)
  if (schema instanceof z.core.$ZodPipe) return unwrap(schema._zod.def.in)
  return schema
}

const hourMs = 3600_000

/** Notes what was refused for want of a permission: once an hour for each person or key and operation. */
export function auditRefusals(app: FastifyInstance, audit: AuditLog): void {
  app.addHook('onResponse', async (request) => {
    const { failure, routeOptions, params } = request
    const { endpoint } = routeOptions.config
    if (!(failure instanceof AppError) || failure.code !== 'forbidden' || !endpoint) return
    const call = describeCall(request, endpoint, params)
    if (!call) return
    const { workspaceId, actor, action } = call
    const once = JSON.stringify(['refused', workspaceId, actor, action, Math.floor(Date.now() / hourMs)])
    const targets = call.targets.filter(({ id }) => id.length <= 300)
    await audit.record({ ...call, targets, changes: [], outcome: 'refused', once }).catch((error: unknown) => {
      request.log.warn({ err: error }, 'a refusal was not noted in the audit log')
    })
  })
}

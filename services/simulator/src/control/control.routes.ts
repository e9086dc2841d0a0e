import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { pressOf } from '../engine/people.ts'
import { type GraphCode, isGraphCode } from '../graph/graph-error.ts'
import type { Simulator } from '../simulator.ts'
import { type BusinessNumber, type Customer, digitsOf, type Message, statuses } from '../world.ts'
import { createPlaces } from './places.ts'

/** A request of the control API that names something which is not there, or is not valid. */
export class ControlError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'ControlError'
    this.status = status
  }
}

/** @throws ControlError that names the first wrong field. */
function parse<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ControlError(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not valid'}`)
}

const who = {
  from: z.string().max(40).optional(),
  user_id: z.string().max(160).optional(),
  phone_number_id: z.string().optional(),
}
const inboundSchema = z.looseObject({
  ...who,
  name: z.string().max(120).optional(),
  type: z.string().max(40).default('text'),
  reply_to: z.string().max(512).optional(),
  forwarded: z.boolean().optional(),
  frequently_forwarded: z.boolean().optional(),
  referral: z.record(z.string(), z.unknown()).optional(),
  referred_product: z.record(z.string(), z.unknown()).optional(),
  at: z.number().int().optional(),
})
const pressSchema = z.object({ wamid: z.string(), button: z.string().optional(), row: z.string().optional() })
const reactSchema = z.object({ wamid: z.string(), emoji: z.string().max(32).default('') })
const editSchema = z.object({ wamid: z.string(), body: z.string().min(1).max(4096) })
const byWamid = z.object({ wamid: z.string() })
const statusSchema = z.object({ wamid: z.string(), status: z.enum(statuses), error: z.number().int().optional() })
const changeNumberSchema = z.object({ ...who, to: z.string().min(7).max(20) })
const preferenceSchema = z.object({ ...who, value: z.enum(['stop', 'resume']) })
const echoSchema = z.looseObject({ ...who, type: z.string().default('text') })
const customerSchema = z.object({
  phone: z.string().min(7).max(20).optional(),
  name: z.string().min(1).max(120).optional(),
  username: z.string().max(35).nullable().optional(),
  hidesPhone: z.boolean().optional(),
  online: z.boolean().optional(),
  reads: z.enum(['auto', 'opened', 'never']).optional(),
  blocks: z.array(z.string()).optional(),
})
const injectSchema = z.object({
  numberId: z.string().optional(),
  to: z.string().transform(digitsOf).optional(),
  trigger: z.union([
    z.object({ kind: z.literal('always') }),
    z.object({ kind: z.enum(['next', 'every']), count: z.number().int().min(1).max(1_000_000) }),
  ]),
  effect: z.union([
    z.object({
      kind: z.literal('error'),
      code: z.custom<GraphCode | 190>(
        (code) => typeof code === 'number' && (code === 190 || isGraphCode(code)),
        'is not a code that the simulator answers with',
      ),
    }),
    z.object({ kind: z.literal('hang'), ms: z.number().int().min(0).max(600_000) }),
    z.object({ kind: z.enum(['reset', 'not_json']) }),
  ]),
})
const webhookFaultsSchema = z
  .object({
    signature: z.enum(['right', 'wrong', 'missing']),
    copies: z.number().int().min(1).max(20),
    shuffleMs: z.number().int().min(0).max(60_000),
    batchMs: z.number().int().min(0).max(60_000),
    paused: z.boolean(),
  })
  .partial()
const limitsSchema = z
  .object({
    standardPerSecond: z.number().positive().nullable(),
    highPerSecond: z.number().positive().nullable(),
    pairDepth: z.number().positive().nullable(),
    uniqueUsers: z.number().positive().nullable(),
    managementPerHour: z.number().positive().nullable(),
  })
  .partial()
const ladderSchema = z
  .object({
    sentMs: z.number().int().min(0),
    deliveredMs: z.number().int().min(0),
    readMs: z.number().int().min(0),
    jitterMs: z.number().int().min(0),
    refuseClosedWindow: z.boolean(),
  })
  .partial()
const clockSchema = z.object({
  advance: z
    .number()
    .int()
    .min(0)
    .max(400 * 24 * 3600_000),
})
const rawSchema = z.object({ account_id: z.string(), body: z.unknown() })
const accountEventSchema = z.object({ account_id: z.string(), field: z.string().max(80), value: z.unknown() })
const qualitySchema = z.object({ phone_number_id: z.string(), quality: z.enum(['GREEN', 'YELLOW', 'RED', 'UNKNOWN']) })
const capabilitySchema = z.object({ account_id: z.string(), tier: z.string().max(40) })
const tokenSchema = z.object({ token: z.string() })
const assertSchema = z.object({ to: z.string(), since: z.number().optional(), count: z.number().int().optional() })

/** The control API: what people do on their phones, what goes wrong, and what time it is. JSON in and out. */
export function serveControl(control: FastifyInstance, simulator: Simulator): void {
  const { world, inbound, outbound, templates, deliveries, limits, faults, page, media } = simulator
  const places = createPlaces(world)

  function numberOf(id: string | undefined): BusinessNumber {
    const number = id === undefined ? [...world.numbers.values()].at(-1) : world.numbers.get(id)
    if (!number) throw new ControlError(404, 'There is no such business number.')
    return number
  }
  function customerOf(
    { from, user_id: id }: { from?: string | undefined; user_id?: string | undefined },
    name?: string,
  ): Customer {
    if (id !== undefined) {
      const customer = world.customers.get(id)
      if (!customer) throw new ControlError(404, 'There is no such customer.')
      return customer
    }
    const digits = digitsOf(from ?? '')
    if (digits.length < 7 || digits.length > 15) throw new ControlError(400, 'from: is not a phone number')
    return world.customerOf(digits, name)
  }
  function messageOf(id: string): { message: Message; number: BusinessNumber; customer: Customer } {
    const message = world.messages.get(id)
    const customer = message && world.customers.get(message.customerId)
    if (!message || !customer) throw new ControlError(404, 'There is no such message.')
    return { message, customer, number: numberOf(message.numberId) }
  }

  control.post('/inbound', async (request) => {
    const body = parse(inboundSchema, request.body)
    const number = numberOf(body.phone_number_id)
    const content = body[body.type]
    if (content === undefined && body.type !== 'unsupported') throw new ControlError(400, `${body.type}: is missing`)
    return inbound.write(number, customerOf(body, body.name), {
      type: body.type,
      content: withMediaAddress(content),
      replyTo: body.reply_to,
      forwarded: body.forwarded,
      frequentlyForwarded: body.frequently_forwarded,
      referral: body.referral,
      referredProduct: body.referred_product,
      at: body.at,
    })
  })

  /** A media object of a webhook says more than its id. */
  function withMediaAddress(content: unknown): unknown {
    const named = z.looseObject({ id: z.string() }).safeParse(content)
    const file = named.success ? media.live(named.data.id) : undefined
    return file && named.data ? { ...named.data, mime_type: file.mimeType, sha256: file.sha256 } : content
  }

  control.post<{ Querystring: { phone_number_id?: string; name?: string } }>(
    '/media',
    { bodyLimit: 101 * 1024 * 1024 },
    async (request) => {
      if (!Buffer.isBuffer(request.body)) throw new ControlError(400, 'Send the bytes of a file with its content type.')
      const type = (request.headers['content-type'] ?? '').split(';')[0] ?? ''
      const number = numberOf(request.query.phone_number_id)
      return media.keep(number.id, { bytes: request.body, type, name: request.query.name ?? null }, 'customer')
    },
  )

  control.get<{ Params: { id: string } }>('/media/:id', async (request, reply) => {
    const file = media.live(request.params.id)
    if (!file) throw new ControlError(404, 'There is no such file any more.')
    return reply.type(file.mimeType).header('x-content-type-options', 'nosniff').send(media.bytes(file))
  })

  control.post('/press', async (request) => {
    const { wamid, button, row } = parse(pressSchema, request.body)
    const { message, number, customer } = messageOf(wamid)
    const press = pressOf(message, button ?? row)
    if (!press) throw new ControlError(400, 'That message has no such button.')
    return inbound.write(number, customer, { ...press, replyTo: wamid })
  })
  control.post('/react', async (request) => {
    const { wamid, emoji } = parse(reactSchema, request.body)
    const { message, number, customer } = messageOf(wamid)
    return inbound.react(number, customer, message, emoji)
  })
  control.post('/edit', async (request) => {
    const { wamid, body } = parse(editSchema, request.body)
    const { message, number, customer } = messageOf(wamid)
    inbound.edit(number, customer, message, body)
    return { ok: true }
  })
  control.post('/revoke', async (request) => {
    const { message, number, customer } = messageOf(parse(byWamid, request.body).wamid)
    inbound.revoke(number, customer, message)
    return { ok: true }
  })
  control.post('/status', async (request) => {
    const { wamid, status, error } = parse(statusSchema, request.body)
    messageOf(wamid)
    return { moved: outbound.move(wamid, status, error) !== undefined }
  })
  control.post('/read', async (request) => {
    const body = parse(z.object(who), request.body)
    outbound.readChat(numberOf(body.phone_number_id).id, customerOf(body).id)
    return { ok: true }
  })
  control.post('/change-number', async (request) => {
    const body = parse(changeNumberSchema, request.body)
    return inbound.changeNumber(customerOf(body), digitsOf(body.to))
  })
  control.post('/preference', async (request) => {
    const body = parse(preferenceSchema, request.body)
    return inbound.prefer(numberOf(body.phone_number_id), customerOf(body), body.value)
  })
  control.post('/echo', async (request) => {
    const body = parse(echoSchema, request.body)
    return inbound.echo(numberOf(body.phone_number_id), customerOf(body), body.type, body[body.type])
  })

  control.post('/customers', async (request) => {
    const { phone, ...fields } = parse(customerSchema, request.body)
    if (phone === undefined) throw new ControlError(400, 'phone: is missing')
    return changed(world.putCustomer({ ...customerOf({ from: phone }), ...given(fields) }))
  })
  control.patch<{ Params: { id: string } }>('/customers/:id', async (request) => {
    const { phone: _phone, ...fields } = parse(customerSchema, request.body)
    const customer = world.putCustomer({ ...customerOf({ user_id: request.params.id }), ...given(fields) })
    if (fields.online === true) outbound.deliverWaiting(customer.id)
    return changed(customer)
  })

  control.post('/numbers', async (request) => changed(places.create(parse(places.schema, request.body))))
  control.get<{ Params: { id: string } }>('/numbers/:id', async (request) => numberOf(request.params.id))
  control.delete<{ Params: { id: string } }>('/numbers/:id', async (request) => {
    world.numbers.remove(numberOf(request.params.id).id)
    return changed({ ok: true })
  })

  const templateActions = ['approve', 'reject', 'pause', 'disable', 'recategorise', 'quality'] as const
  control.post<{ Params: { id: string; action: string } }>('/template/:id/:action', async (request) => {
    const template = world.templates.get(request.params.id)
    if (!template) throw new ControlError(404, 'There is no such template.')
    const action = parse(z.enum(templateActions), request.params.action)
    const { reason, category, score } = parse(
      z.object({
        reason: z.string().default('INVALID_FORMAT'),
        category: z.string().default('MARKETING'),
        score: z.string().default('YELLOW'),
      }),
      request.body,
    )
    if (action === 'reject') return templates.reject(template, reason)
    if (action === 'recategorise') return templates.recategorise(template, category)
    if (action === 'quality') return templates.rate(template, score)
    return templates[action](template)
  })

  control.post('/account', async (request) => {
    const { account_id: id, field, value } = parse(accountEventSchema, request.body)
    if (!world.accounts.get(id)) throw new ControlError(404, 'There is no such account.')
    deliveries.emit(id, { field, value })
    return { ok: true }
  })
  control.post('/quality', async (request) => {
    const body = parse(qualitySchema, request.body)
    const number = numberOf(body.phone_number_id)
    world.numbers.put(number.id, { ...number, quality: body.quality })
    const event = body.quality === 'RED' ? 'FLAGGED' : 'UNFLAGGED'
    const value = { display_phone_number: number.displayNumber, event }
    deliveries.emit(number.accountId, { field: 'phone_number_quality_update', value })
    return changed({ ok: true })
  })
  control.post('/capability', async (request) => {
    const { account_id: id, tier } = parse(capabilitySchema, request.body)
    const account = world.accounts.get(id)
    if (!account) throw new ControlError(404, 'There is no such account.')
    world.accounts.put(id, { ...account, limitTier: tier })
    const value = { max_daily_conversations_per_business: tier, max_phone_numbers_per_waba: 25 }
    deliveries.emit(id, { field: 'business_capability_update', value })
    return changed({ ok: true })
  })
  control.post<{ Params: { action: string } }>('/token/:action', async (request) => {
    const action = parse(z.enum(['expire', 'restore']), request.params.action)
    const { token } = parse(tokenSchema, request.body)
    const known = world.tokens.get(token)
    if (!known) throw new ControlError(404, 'There is no such token.')
    world.tokens.put(token, { ...known, expiresAt: action === 'expire' ? world.clock.now() - 1 : null })
    return changed({ ok: true })
  })

  control.post('/inject', async (request) => {
    const injection = { id: randomUUID(), ...parse(injectSchema, request.body) }
    faults.inject(injection)
    return changed(injection)
  })
  control.delete<{ Params: { id: string } }>('/inject/:id', async (request) => {
    faults.remove(request.params.id)
    return changed({ ok: true })
  })
  control.post('/webhooks', async (request) =>
    changed(deliveries.change(given(parse(webhookFaultsSchema, request.body)))),
  )
  control.post('/limits', async (request) => changed(limits.change(given(parse(limitsSchema, request.body)))))
  control.post('/ladder', async (request) => changed(outbound.settings(given(parse(ladderSchema, request.body)))))
  control.post('/clock', async (request) =>
    changed({ now: simulator.advance(parse(clockSchema, request.body).advance) }),
  )
  control.post('/webhook/raw', async (request) => {
    const { account_id: id, body } = parse(rawSchema, request.body)
    if (!world.accounts.get(id)) throw new ControlError(404, 'There is no such account.')
    deliveries.dispatch(id, typeof body === 'string' ? body : JSON.stringify(body))
    return { ok: true }
  })
  control.post<{ Params: { id: string } }>('/deliveries/:id/redeliver', async (request) => {
    if (!world.deliveries.get(request.params.id)) throw new ControlError(404, 'There is no such delivery.')
    deliveries.retry(request.params.id)
    return { ok: true }
  })
  control.post('/reset', async () => {
    faults.reset()
    limits.reset()
    deliveries.change({ signature: 'right', copies: 1, shuffleMs: 0, batchMs: 0, paused: false })
    return changed({ ok: true })
  })

  control.get<{ Querystring: { phone_number_id?: string; customer_id?: string; to?: string } }>(
    '/messages',
    async (request) => {
      const { phone_number_id: numberId, customer_id: customerId, to } = request.query
      const customer = to === undefined ? customerId : world.customerOf(digitsOf(to)).id
      if (numberId !== undefined && customer !== undefined) return { items: world.messagesOf(numberId, customer) }
      const items = [...world.messages.values()].filter(
        (message) => (!numberId || message.numberId === numberId) && (!customer || message.customerId === customer),
      )
      return { items }
    },
  )
  control.get('/deliveries', async () => ({ items: [...world.deliveries.values()].slice(-200).reverse() }))
  control.get('/state', async () => ({
    now: world.clock.now(),
    skippedMs: world.clock.skipped(),
    numbers: [...world.numbers.values()],
    accounts: [...world.accounts.values()],
    customers: [...world.customers.values()].slice(-500),
    chats: [...world.chats.values()].sort((left, right) => right.lastAt - left.lastAt).slice(0, 500),
    templates: [...world.templates.values()].slice(-500),
    injections: faults.list(),
    webhooks: deliveries.faults(),
    limits: limits.current(),
    ladder: outbound.settings(),
  }))
  control.post('/assert', async (request) => {
    const { to, since = 0, count } = parse(assertSchema, request.body)
    const customer = world.customerOf(digitsOf(to))
    const found = [...world.messages.values()].filter(
      ({ direction, customerId, at }) => direction === 'outbound' && customerId === customer.id && at >= since,
    )
    if (count !== undefined && found.length !== count)
      throw new ControlError(409, `${found.length} messages were sent to ${to}, not ${count}.`)
    return { count: found.length, messages: found }
  })

  function changed<T>(answer: T): T {
    page.changed()
    return answer
  }
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }
/** The fields that were named. */
const given = <T extends object>(fields: T): Partial<Given<T>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Given<T>>

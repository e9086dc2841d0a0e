import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { flowAnswerOf, grantOf, pressOf } from '../engine/press.ts'
import { sendBytes } from '../graph/media.routes.ts'
import type { Simulator } from '../simulator.ts'
import { digitsOf } from '../world.ts'
import { ControlError, parse } from './control-error.ts'
import { serveControlFaults } from './control-faults.ts'
import { serveControlReads } from './control-reads.ts'
import {
  byWamid,
  changeNumberSchema,
  customerSchema,
  echoSchema,
  editSchema,
  inboundSchema,
  peopleSchema,
  preferenceSchema,
  pressSchema,
  reactSchema,
  statusSchema,
  who,
} from './control-schemas.ts'
import { serveControlTemplates } from './control-templates.ts'
import { createLookups } from './lookups.ts'
import { createPlaces } from './places.ts'

/** Serves the control API: acts of people on their phones, faults, and the time. JSON in and out. */
export function serveControl(control: FastifyInstance, simulator: Simulator): void {
  const { world, inbound, outbound, page, media } = simulator
  const { numberOf, customerOf, messageOf } = createLookups(simulator)
  const places = createPlaces(world)
  serveControlFaults(control, simulator)
  serveControlReads(control, simulator)
  serveControlTemplates(control, simulator)

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

  /** Adds to a media object the fields that a webhook has of it beside its id. */
  function withMediaAddress(content: unknown): unknown {
    const named = z.looseObject({ id: z.string(), voice: z.boolean().optional() }).safeParse(content)
    const file = named.success ? media.live(named.data.id) : undefined
    if (!file || !named.data) return content
    const type = named.data.voice ? `${file.mimeType}; codecs=opus` : file.mimeType
    return { ...named.data, mime_type: type, sha256: file.sha256 }
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
    if (!file) throw new ControlError(404, 'This file no longer exists.')
    reply.type(file.mimeType).header('x-content-type-options', 'nosniff')
    return sendBytes(reply, media.bytes(file), request.headers.range)
  })

  control.post('/press', async (request) => {
    const { wamid, button, row, flow } = parse(pressSchema, request.body)
    const { message, number, customer } = messageOf(wamid)
    const press = flow ? flowAnswerOf(message, flow) : (pressOf(message, button ?? row) ?? grantOf(message, customer))
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
    return changed(world.putCustomer({ ...customerOf({ from: phone }), ...omitUndefined(fields) }))
  })
  control.patch<{ Params: { id: string } }>('/customers/:id', async (request) => {
    const { phone: _phone, ...fields } = parse(customerSchema, request.body)
    const customer = world.putCustomer({ ...customerOf({ user_id: request.params.id }), ...omitUndefined(fields) })
    if (fields.online === true) outbound.deliverWaiting(customer.id)
    return changed(customer)
  })

  /** Adds people whom a number knows from before: nothing is announced about them. */
  control.post('/people', { bodyLimit: 1024 * 1024 }, async (request) => {
    const { phone_number_id: id, people } = parse(peopleSchema, request.body)
    const number = numberOf(id)
    for (const { phone, name, lastInboundAt, answers } of people) {
      const customer = world.putCustomer({ ...customerOf({ from: phone }, name), answers })
      const chat = world.chatOf(number.id, customer.id)
      world.chats.put(chat.id, { ...chat, lastInboundAt: Math.max(chat.lastInboundAt, lastInboundAt) })
    }
    return changed({ count: people.length })
  })

  control.post('/numbers', async (request) => changed(places.create(parse(places.schema, request.body))))
  control.get<{ Params: { id: string } }>('/numbers/:id', async (request) => numberOf(request.params.id))
  control.delete<{ Params: { id: string } }>('/numbers/:id', async (request) => {
    world.numbers.remove(numberOf(request.params.id).id)
    return changed({ ok: true })
  })

  function changed<T>(answer: T): T {
    page.changed()
    return answer
  }
}

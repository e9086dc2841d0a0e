import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Simulator } from '../simulator.ts'
import { newNumber } from '../world.ts'
import { GraphError } from './graph-error.ts'
import { parsed } from './numbers.routes.ts'

interface Node {
  Params: { id: string }
}

const registersAllowed = 10
const registerPeriodMs = 72 * 3600_000

const newNumberSchema = z.object({
  cc: z.coerce.string().regex(/^\d{1,3}$/),
  phone_number: z.coerce.string().regex(/^[\d ()-]{4,20}$/),
  verified_name: z.string().min(1).max(120),
})
const codeRequestSchema = z.object({ code_method: z.enum(['SMS', 'VOICE']), language: z.string().min(2).max(15) })
const codeSchema = z.object({ code: z.coerce.string().max(12) })
const registerSchema = z.object({ messaging_product: z.literal('whatsapp'), pin: z.string().regex(/^\d{6}$/) })

/** Serves the registration of a number: it is added, proven by a code, registered with a PIN. */
export function serveRegistration(graph: FastifyInstance, { authority, world }: Simulator): void {
  const registrations = new Map<string, number[]>()
  const manage = 'whatsapp_business_management' as const

  graph.post<Node>('/:id/phone_numbers', async (request) => {
    const account = authority.accountOf(request, request.params.id)
    const body = parsed(newNumberSchema, request.body)
    const displayNumber = `${body.cc}${body.phone_number.replace(/\D/g, '')}`
    if ([...world.numbers.values()].some((number) => number.displayNumber === displayNumber))
      throw new GraphError(100, { details: 'phone_number: belongs to an account already' })
    const number = newNumber({
      id: world.random.digits(15),
      accountId: account.id,
      displayNumber,
      name: body.verified_name,
    })
    const { id } = world.numbers.put(number.id, { ...number, codeStatus: 'NOT_VERIFIED' })
    return { id }
  })

  graph.post<Node>('/:id/request_code', async (request) => {
    const number = authority.numberOf(request, request.params.id, manage)
    parsed(codeRequestSchema, request.body)
    if (number.codeStatus === 'VERIFIED')
      throw new GraphError(136024, { details: 'The phone number has been verified already.' })
    world.numbers.put(number.id, { ...number, code: world.random.digits(6) })
    return { success: true }
  })

  graph.post<Node>('/:id/verify_code', async (request) => {
    const number = authority.numberOf(request, request.params.id, manage)
    const { code } = parsed(codeSchema, request.body)
    if (number.code === null || code.replace('-', '') !== number.code) throw new GraphError(136025)
    world.numbers.put(number.id, { ...number, codeStatus: 'VERIFIED', code: null })
    return { success: true }
  })

  graph.post<Node>('/:id/register', async (request) => {
    const number = authority.numberOf(request, request.params.id, manage)
    const { pin } = parsed(registerSchema, request.body)
    const now = world.clock.now()
    const times = (registrations.get(number.id) ?? []).filter((at) => at > now - registerPeriodMs)
    if (times.length >= registersAllowed) throw new GraphError(133016)
    registrations.set(number.id, [...times, now])
    if (number.codeStatus !== 'VERIFIED') throw new GraphError(133006)
    if (number.pin !== null && number.pin !== pin) throw new GraphError(133005)
    world.numbers.put(number.id, { ...number, pin, registered: true, status: 'CONNECTED' })
    return { success: true }
  })

  graph.post<Node>('/:id/deregister', async (request) => {
    const number = authority.numberOf(request, request.params.id, manage)
    world.numbers.put(number.id, { ...number, registered: false, status: 'DISCONNECTED' })
    return { success: true }
  })
}

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Simulator } from '../simulator.ts'
import { ControlError, given, parse } from './control-error.ts'
import {
  accountEventSchema,
  capabilitySchema,
  clockSchema,
  injectSchema,
  ladderSchema,
  limitsSchema,
  qualitySchema,
  rawSchema,
  tokenSchema,
  webhookFaultsSchema,
} from './control-schemas.ts'
import { createLookups } from './lookups.ts'

/** What the platform decides of an account, what goes wrong, and what time it is. */
export function serveControlFaults(control: FastifyInstance, simulator: Simulator): void {
  const { world, outbound, deliveries, limits, faults, page } = simulator
  const { numberOf } = createLookups(simulator)

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

  function changed<T>(answer: T): T {
    page.changed()
    return answer
  }
}

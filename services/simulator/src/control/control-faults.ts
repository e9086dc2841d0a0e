import { randomUUID } from 'node:crypto'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { tierUsers } from '../engine/limits.ts'
import type { Account, BusinessNumber } from '../records.ts'
import type { Simulator } from '../simulator.ts'
import { usualFaults } from '../webhooks/webhook-body.ts'
import { ControlError, parse } from './control-error.ts'
import {
  accountEventSchema,
  accountSchema,
  capabilitySchema,
  clockSchema,
  injectSchema,
  ladderSchema,
  limitsSchema,
  qualitySchema,
  rawSchema,
  tokenSchema,
  waIdSchema,
  webhookFaultsSchema,
} from './control-schemas.ts'
import { createLookups } from './lookups.ts'

/** Serves the platform's decisions about an account, its faults and its time. */
export function serveControlFaults(control: FastifyInstance, simulator: Simulator): void {
  const { world, outbound, deliveries, limits, faults, waIds, codes, page } = simulator
  const { numberOf } = createLookups(simulator)
  const accountEvents = createAccountEvents(simulator)
  const reset = createReset(simulator)

  control.post('/account', async (request) => {
    const { account_id: id, field, value } = parse(accountEventSchema, request.body)
    if (!world.accounts.get(id)) throw new ControlError(404, 'There is no such account.')
    deliveries.emit(id, { field, value })
    return { ok: true }
  })
  control.post('/quality', async (request) => {
    const body = parse(qualitySchema, request.body)
    const number = numberOf(body.phone_number_id)
    accountEvents.rate(number, body.quality)
    return changed({ ok: true })
  })
  control.post('/capability', async (request) => {
    const { account_id: id, tier } = parse(capabilitySchema, request.body)
    const account = world.accounts.get(id)
    if (!account) throw new ControlError(404, 'There is no such account.')
    accountEvents.limit(account, tier)
    return changed({ ok: true })
  })
  control.post<{ Params: { action: string } }>('/token/:action', async (request) => {
    const action = parse(z.enum(['expire', 'restore']), request.params.action)
    const named = parse(tokenSchema, request.body)
    const tokens = [...world.tokens.values()].filter((known) =>
      'token' in named ? known.token === named.token : known.numberId === named.phone_number_id,
    )
    if (tokens.length === 0) throw new ControlError(404, 'There is no such token.')
    const expiresAt = action === 'expire' ? world.clock.now() + (named.in_ms ?? -1) : null
    for (const known of tokens) world.tokens.put(known.token, { ...known, expiresAt })
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
    changed(deliveries.change(omitUndefined(parse(webhookFaultsSchema, request.body)))),
  )
  control.post('/limits', async (request) => changed(limits.change(omitUndefined(parse(limitsSchema, request.body)))))
  control.post('/ladder', async (request) =>
    changed(outbound.settings(omitUndefined(parse(ladderSchema, request.body)))),
  )
  control.post('/wa-id', async (request) => changed(waIds.change(omitUndefined(parse(waIdSchema, request.body)))))
  control.post('/clock', async (request) =>
    changed({ now: simulator.advance(parse(clockSchema, request.body).advance) }),
  )
  control.post('/webhook/raw', async (request) => {
    const { account_id: id, body } = parse(rawSchema, request.body)
    if (!world.accounts.get(id)) throw new ControlError(404, 'There is no such account.')
    deliveries.dispatch({ accountId: id, numberId: null }, typeof body === 'string' ? body : JSON.stringify(body))
    return { ok: true }
  })
  control.post('/webhook/verify', async (request) => {
    const callback = deliveries.callbackOf(parse(accountSchema, request.body).account_id, null)
    if (!callback) throw new ControlError(404, 'That account has no callback.')
    const problem = await deliveries.verify(callback)
    return { url: callback.url, problem: problem ?? null }
  })
  control.post('/oauth/code', async (request) => {
    const { account_id: id } = parse(accountSchema, request.body)
    const account = world.accounts.get(id)
    if (!account) throw new ControlError(404, 'There is no such account.')
    return { code: codes.create(id), client_id: account.appId }
  })
  control.post<{ Params: { id: string } }>('/deliveries/:id/redeliver', async (request) => {
    if (!world.deliveries.get(request.params.id)) throw new ControlError(404, 'There is no such delivery.')
    deliveries.retry(request.params.id)
    return { ok: true }
  })
  control.post('/reset', async () => {
    reset()
    return changed({ ok: true })
  })

  function changed<T>(answer: T): T {
    page.changed()
    return answer
  }
}

/**
 * Puts back everything that a person or a test has made go wrong: injected errors, limits, statuses, webhooks, expired tokens,
 * quality and limit of numbers, customers who have blocked a number or switched their phone off. What was written, numbers,
 * templates, opt-outs and the clock stay. The business hears of a quality or a limit that changes.
 */
function createReset(simulator: Simulator) {
  const { world, outbound, deliveries, limits, faults, waIds } = simulator
  const { rate, limit } = createAccountEvents(simulator)

  return function reset(): void {
    faults.reset()
    limits.reset()
    outbound.reset()
    waIds.reset()
    deliveries.change(usualFaults)
    // A number's token does not end unless an end was set.
    for (const token of world.tokens.values())
      if (token.expiresAt !== null && (token.numberId !== null || token.expiresAt <= world.clock.now()))
        world.tokens.put(token.token, { ...token, expiresAt: null })
    for (const number of world.numbers.values())
      if (number.quality !== number.usualQuality) rate(number, number.usualQuality)
    for (const account of world.accounts.values()) if (account.usualTier !== null) limit(account, account.usualTier)
    for (const customer of world.customers.values()) {
      if (customer.blocks.length === 0 && customer.online) continue
      world.putCustomer({ ...customer, blocks: [], online: true })
      outbound.deliverWaiting(customer.id)
    }
  }
}

/** Applies and announces the platform's decisions about a number or an account. */
function createAccountEvents({ world, deliveries }: Pick<Simulator, 'world' | 'deliveries'>) {
  function rate(number: BusinessNumber, quality: BusinessNumber['quality']): void {
    world.numbers.put(number.id, { ...number, quality })
    deliveries.emit(number.accountId, {
      field: 'phone_number_quality_update',
      numberId: number.id,
      value: {
        display_phone_number: number.displayNumber,
        event: quality === 'RED' ? 'FLAGGED' : 'UNFLAGGED',
        max_daily_conversations_per_business: world.accounts.get(number.accountId)?.limitTier ?? 'TIER_NOT_SET',
      },
    })
  }

  function limit(account: Account, tier: string): void {
    const before = account.usualTier ?? account.limitTier
    world.accounts.put(account.id, { ...account, limitTier: tier, usualTier: tier === before ? null : before })
    const value = { max_daily_conversations_per_business: maxUsersOf(tier), max_phone_numbers_per_waba: 25 }
    deliveries.emit(account.id, { field: 'business_capability_update', value })
  }

  return { rate, limit }
}

/** Number of customers in this field, where others name the tier; -1 is without limit. */
const maxUsersOf = (tier: string): number | string => (tier === 'TIER_UNLIMITED' ? -1 : (tierUsers[tier] ?? tier))

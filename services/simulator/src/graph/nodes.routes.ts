import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Simulator } from '../simulator.ts'
import { answerWith } from './answer-with.ts'
import { unknownObject } from './graph-error.ts'
import { describeNumber, overrideSchema, parsed, provenCallback } from './numbers.routes.ts'
import { describeTemplate } from './templates.routes.ts'

interface Node {
  Params: { id: string }
  Querystring: { fields?: string }
}

const callbackSchema = z.object({
  object: z.literal('whatsapp_business_account'),
  callback_url: z.url(),
  verify_token: z.string().min(1).max(500),
})
/** `""` removes a number's own address. */
const numberSchema = z.union([
  z.object({ pin: z.string().regex(/^\d{6}$/) }),
  z.object({
    webhook_configuration: z.union([overrideSchema, z.object({ override_callback_uri: z.literal('') })]),
  }),
])

/** Serves `/{id}`, dispatched by the kind of object, and the address of an app's webhooks. */
export function serveNodes(graph: FastifyInstance, simulator: Simulator): void {
  const { authority, world, templates, media, deliveries, faults } = simulator
  const manage = 'whatsapp_business_management' as const

  graph.post<{ Params: { id: string } }>('/:id/subscriptions', async (request) => {
    const token = authority.tokenOf(request)
    const app = world.apps.get(request.params.id)
    if (!app || token.appId !== app.id) throw unknownObject(request.params.id)
    const { callback_url, verify_token } = parsed(callbackSchema, request.body)
    const callback = await provenCallback({ override_callback_uri: callback_url, verify_token }, deliveries)
    world.apps.put(app.id, { ...app, callback })
    return { success: true }
  })

  graph.get<Node>('/:id', async (request) => {
    const { id } = request.params
    const number = world.numbers.get(id)
    if (number) {
      const number = authority.numberOf(request, id, manage)
      const account = world.accounts.get(number.accountId)
      if (!account) throw unknownObject(id)
      return describeNumber(number, account, world.apps.get(account.appId)?.callback ?? null)
    }
    if (world.media.get(id)) {
      const token = authority.tokenOf(request, 'whatsapp_business_messaging')
      const owner = world.numbers.get(world.media.get(id)?.numberId ?? '')
      if (!owner || !authority.mayReach(token, owner.accountId)) throw unknownObject(id)
      return media.describe(id, `${request.protocol}://${request.host}`)
    }
    const template = world.templates.get(id)
    if (template) {
      authority.accountOf(request, template.accountId)
      return describeTemplate(template, request.query.fields?.split(','))
    }
    const account = authority.accountOf(request, id)
    return {
      id: account.id,
      name: account.name,
      timezone_id: account.timeZone,
      message_template_namespace: `ns_${account.id}`,
      account_review_status: 'APPROVED',
      business_verification_status: 'verified',
      health_status: { can_send_message: 'AVAILABLE' },
    }
  })

  graph.post<Node>('/:id', async (request, reply) => {
    const { id } = request.params
    const template = world.templates.get(id)
    if (template) {
      authority.accountOf(request, template.accountId)
      return answerWith(faults.effectOnTemplate(), reply, () => {
        templates.edit(template, request.body)
        return { success: true }
      })
    }
    const number = authority.numberOf(request, id, manage)
    const change = parsed(numberSchema, request.body)
    if ('pin' in change) world.numbers.put(id, { ...number, pin: change.pin })
    else {
      const { webhook_configuration: wanted } = change
      const override = 'verify_token' in wanted ? await provenCallback(wanted, deliveries) : null
      world.numbers.put(id, { ...number, override })
    }
    return { success: true }
  })

  graph.delete<Node>('/:id', async (request) => {
    const { id } = request.params
    const token = authority.tokenOf(request, 'whatsapp_business_messaging')
    const owner = world.numbers.get(world.media.get(id)?.numberId ?? '')
    if (!owner || !authority.mayReach(token, owner.accountId)) throw unknownObject(id)
    media.remove(id)
    return { success: true }
  })
}

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Simulator } from '../simulator.ts'
import { answerWith } from './answer-with.ts'
import { GraphError, unknownObject } from './graph-error.ts'
import { describeNumber, parsed } from './numbers.routes.ts'
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
const pinSchema = z.object({ pin: z.string().regex(/^\d{6}$/) })

/** `/{id}` dispatches by the kind of object; beside it the app's own calls and tokens. */
export function serveNodes(graph: FastifyInstance, simulator: Simulator): void {
  const { authority, world, templates, media, deliveries, faults } = simulator
  const manage = 'whatsapp_business_management' as const

  graph.get<{ Querystring: { input_token?: string } }>('/debug_token', async (request) => {
    authority.tokenOf(request)
    const token = world.tokens.get(request.query.input_token ?? '')
    if (!token) return { data: { is_valid: false, error: { code: 190, message: 'Invalid OAuth access token.' } } }
    const expired = token.expiresAt !== null && token.expiresAt <= world.clock.now()
    return {
      data: {
        app_id: token.appId,
        type: 'SYSTEM_USER',
        is_valid: !expired,
        expires_at: token.expiresAt === null ? 0 : Math.floor(token.expiresAt / 1000),
        scopes: token.scopes,
        granular_scopes: token.scopes.map((scope) => ({ scope, target_ids: token.accountIds })),
      },
    }
  })

  graph.post<{ Params: { id: string } }>('/:id/subscriptions', async (request) => {
    const token = authority.tokenOf(request)
    const app = world.apps.get(request.params.id)
    if (!app || token.appId !== app.id) throw unknownObject(request.params.id)
    const { callback_url: url, verify_token: verifyToken } = parsed(callbackSchema, request.body)
    const problem = await deliveries.verify({ url, verifyToken })
    if (problem) {
      throw new GraphError(100, {
        subcode: 2200,
        message: `(#2200) Callback verification failed with the following errors: ${problem}`,
      })
    }
    world.apps.put(app.id, { ...app, callback: { url, verifyToken } })
    return { success: true }
  })

  graph.get<Node>('/:id', async (request) => {
    const { id } = request.params
    const number = world.numbers.get(id)
    if (number) {
      const own = authority.numberOf(request, id, manage)
      const account = world.accounts.get(own.accountId)
      if (!account) throw unknownObject(id)
      return describeNumber(own, account)
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
    world.numbers.put(id, { ...number, pin: parsed(pinSchema, request.body).pin })
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

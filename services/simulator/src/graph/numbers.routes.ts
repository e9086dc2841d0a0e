import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Account, BusinessNumber, Callback } from '../records.ts'
import type { Simulator } from '../simulator.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import { GraphError } from './graph-error.ts'

interface Node {
  Params: { id: string }
}

const dayMs = 24 * 3600_000

/**
 * A number as the API shows it. Fields that were not requested are included too: clients ignore them.
 * @param appCallback of the app that the account belongs to.
 */
export const describeNumber = (number: BusinessNumber, account: Account, appCallback: Callback | null) => ({
  id: number.id,
  display_phone_number: `+${number.displayNumber}`,
  verified_name: number.verifiedName,
  quality_rating: number.quality,
  code_verification_status: number.codeStatus,
  platform_type: number.registered ? 'CLOUD_API' : 'NOT_APPLICABLE',
  is_on_biz_app: number.onBusinessApp,
  throughput: { level: number.throughput },
  status: number.status,
  name_status: number.nameStatus,
  whatsapp_business_manager_messaging_limit: account.limitTier,
  health_status: { can_send_message: number.status === 'CONNECTED' ? 'AVAILABLE' : 'BLOCKED' },
  webhook_configuration: {
    ...(appCallback && { application: appCallback.url }),
    ...(account.override && { whatsapp_business_account: account.override.url }),
    ...(number.override && { phone_number: number.override.url }),
  },
})

export const overrideSchema = z.object({ override_callback_uri: z.url(), verify_token: z.string().min(1).max(500) })
const profileSchema = z.looseObject({
  messaging_product: z.literal('whatsapp'),
  about: z.string().max(139).optional(),
  address: z.string().max(256).optional(),
  description: z.string().max(512).optional(),
  email: z.string().max(128).optional(),
  websites: z.array(z.string().max(256)).max(2).optional(),
})
const blockSchema = z.object({
  messaging_product: z.literal('whatsapp'),
  block_users: z
    .array(z.object({ user: z.string() }))
    .min(1)
    .max(1000),
})

/** Serves everything about an account and its numbers that is not a message or a template. */
export function serveNumbers(graph: FastifyInstance, simulator: Simulator): void {
  const { authority, world, deliveries } = simulator
  const manage = 'whatsapp_business_management' as const

  graph.get<Node>('/:id/phone_numbers', async (request) => {
    const account = authority.accountOf(request, request.params.id)
    const numbers = [...world.numbers.values()].filter(({ accountId }) => accountId === account.id)
    const callback = world.apps.get(account.appId)?.callback ?? null
    return { data: numbers.map((number) => describeNumber(number, account, callback)) }
  })

  graph.get<Node>('/:id/whatsapp_business_profile', async (request) => {
    const number = authority.numberOf(request, request.params.id, manage)
    return { data: [{ messaging_product: 'whatsapp', ...number.profile }] }
  })

  graph.post<Node>('/:id/whatsapp_business_profile', async (request) => {
    const number = authority.numberOf(request, request.params.id, manage)
    const { messaging_product: _product, ...profile } = parsed(profileSchema, request.body)
    world.numbers.put(number.id, { ...number, profile: { ...number.profile, ...profile } })
    return { success: true }
  })

  graph.get<Node>('/:id/subscribed_apps', async (request) => {
    const account = authority.accountOf(request, request.params.id)
    const app = { id: account.appId, name: account.name, link: '' }
    const override = account.override ? { override_callback_uri: account.override.url } : {}
    return { data: account.subscribed ? [{ whatsapp_business_api_data: app, ...override }] : [] }
  })

  graph.post<Node>('/:id/subscribed_apps', async (request) => {
    const account = authority.accountOf(request, request.params.id)
    const wanted =
      request.body && Object.keys(request.body).length > 0 ? parsed(overrideSchema, request.body) : undefined
    const override = wanted ? await provenCallback(wanted, deliveries) : null
    world.accounts.put(account.id, { ...account, subscribed: true, override })
    return { success: true }
  })

  graph.delete<Node>('/:id/subscribed_apps', async (request) => {
    const account = authority.accountOf(request, request.params.id)
    world.accounts.put(account.id, { ...account, subscribed: false, override: null })
    return { success: true }
  })

  graph.get<Node>('/:id/block_users', async (request) => {
    const number = authority.numberOf(request, request.params.id, 'whatsapp_business_messaging')
    return { data: number.blocked.map((wa_id) => ({ messaging_product: 'whatsapp', wa_id })), paging: {} }
  })

  for (const method of ['POST', 'DELETE'] as const) {
    graph.route<Node>({
      method,
      url: '/:id/block_users',
      handler: async (request) => {
        const number = authority.numberOf(request, request.params.id, 'whatsapp_business_messaging')
        const users = parsed(blockSchema, request.body).block_users.map(({ user }) => user.replace(/^\+/, ''))
        return method === 'POST' ? block(number, users) : unblock(number, users)
      },
    })
  }

  /** Only customers who have written in the last 24 hours can be blocked. */
  function block(number: BusinessNumber, users: readonly string[]) {
    const failed = users.filter((user) => {
      const customer = world.customers.get(user) ?? world.customerOf(user)
      return world.chatOf(number.id, customer.id).lastInboundAt + dayMs < world.clock.now()
    })
    const added = users.filter((user) => !failed.includes(user))
    world.numbers.put(number.id, { ...number, blocked: [...new Set([...number.blocked, ...added])] })
    const described = (list: readonly string[]) => list.map((user) => ({ input: user, wa_id: user }))
    return {
      messaging_product: 'whatsapp',
      block_users: {
        added_users: described(added),
        ...(failed.length > 0 && {
          failed_users: described(failed).map((user) => ({
            ...user,
            errors: [{ code: 139102, message: 'Re-engagement required' }],
          })),
        }),
      },
    }
  }

  function unblock(number: BusinessNumber, users: readonly string[]) {
    world.numbers.put(number.id, { ...number, blocked: number.blocked.filter((user) => !users.includes(user)) })
    return {
      messaging_product: 'whatsapp',
      block_users: { removed_users: users.map((user) => ({ input: user, wa_id: user })) },
    }
  }

  graph.get<Node>('/:id/settings', async (request) => authority.numberOf(request, request.params.id, manage).settings)
  graph.post<Node>('/:id/settings', async (request) => {
    const number = authority.numberOf(request, request.params.id, manage)
    const settings = parsed(z.record(z.string(), z.unknown()), request.body)
    world.numbers.put(number.id, { ...number, settings: { ...number.settings, ...settings } })
    return { success: true }
  })
}

/** @throws GraphError 100 that names the first field which is wrong. */
export function parsed<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new GraphError(100, { details: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not valid'}` })
}

/** Returns the callback that a request names. @throws GraphError where it fails the handshake. */
export async function provenCallback(
  { override_callback_uri: url, verify_token: verifyToken }: z.infer<typeof overrideSchema>,
  { verify }: Pick<Deliveries, 'verify'>,
): Promise<Callback> {
  const callback = { url, verifyToken }
  const problem = await verify(callback)
  if (problem === undefined) return callback
  throw new GraphError(100, {
    subcode: 2200,
    message: `(#2200) Callback verification failed with the following errors: ${problem}`,
  })
}

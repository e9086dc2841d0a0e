import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Simulator } from '../simulator.ts'
import { GraphError } from './graph-error.ts'
import { parsed } from './numbers.routes.ts'

const dayMs = 24 * 3600_000
const lifeMs = 60 * dayMs

const exchangeSchema = z.object({
  client_id: z.string().max(40),
  client_secret: z.string().max(200),
  code: z.string().max(500).optional(),
  grant_type: z.enum(['client_credentials', 'authorization_code']).optional(),
})

/** Serves tokens: their scopes, and how an app gets one. */
export function serveTokens(graph: FastifyInstance, { authority, world, codes }: Simulator): void {
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
        ...(expired && {
          error: { code: 190, subcode: 463, message: 'Error validating access token: Session has expired.' },
        }),
        expires_at: token.expiresAt === null ? 0 : Math.floor(token.expiresAt / 1000),
        scopes: token.scopes,
        granular_scopes: token.scopes.map((scope) => ({ scope, target_ids: token.accountIds })),
      },
    }
  })

  /** Exchanges the code of an embedded sign-up for a token of that business, or an app's own credentials for its own token. */
  for (const method of ['GET', 'POST'] as const) {
    graph.route({
      method,
      url: '/oauth/access_token',
      handler: async (request) => {
        const exchange = parsed(exchangeSchema, method === 'GET' ? request.query : request.body)
        const app = world.apps.get(exchange.client_id)
        if (!app || app.secret !== exchange.client_secret)
          throw new GraphError(1, { message: 'Error validating client secret.' })
        if (exchange.grant_type === 'client_credentials')
          return { access_token: `${app.id}|${app.secret}`, token_type: 'bearer' }
        const accountId = codes.consume(exchange.code ?? '')
        if (world.accounts.get(accountId ?? '')?.appId !== app.id || accountId === undefined)
          throw new GraphError(100, {
            message: 'This authorization code has been used or has expired.',
            subcode: 36009,
          })
        const token = `EAA${world.random.token(60)}`
        world.tokens.put(token, {
          token,
          appId: app.id,
          accountIds: [accountId],
          scopes: ['whatsapp_business_messaging', 'whatsapp_business_management'],
          expiresAt: world.clock.now() + lifeMs,
          numberId: null,
        })
        return { access_token: token, token_type: 'bearer', expires_in: lifeMs / 1000 }
      },
    })
  }
}

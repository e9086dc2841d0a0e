import { acceptRawBodies } from '@parley/service-kit/http/received-bodies'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { EndpointKeys } from '../endpoints/endpoint-keys.ts'
import type { IngestService } from './ingest.service.ts'

/** Posts of WhatsApp reach 3 MB. */
const bodyLimitBytes = 4 * 1024 * 1024
/** The only shape in which a signature comes (Meta, Graph API webhooks: X-Hub-Signature-256). */
const signatureSchema = z.string().regex(/^sha256=[0-9a-f]{64}$/i)
const path = '/hooks/whatsapp/:endpointId'

/** The ingest process alone registers these; the server, which loads the routes of every feature, leaves them out. */
export const autoload = false

const paramsSchema = z.object({ endpointId: z.string().regex(/^[0-9a-f]{32}$/) })
const handshakeSchema = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string().max(500),
  'hub.challenge': z.string().regex(/^[\w-]{1,200}$/),
})

interface Options {
  readonly endpointKeys: EndpointKeys
  readonly ingest: IngestService
  readonly countRefused: (reason: 'address' | 'signature' | 'handshake') => void
}

/**
 * Serves WhatsApp's requests: the handshake of a callback, and its webhooks. Anyone may reach it; a webhook counts by its
 * signature. Source: Meta, Graph API webhooks.
 */
export async function ingestRoutes(
  app: FastifyInstance,
  { endpointKeys, ingest, countRefused }: Options,
): Promise<void> {
  acceptRawBodies(app)

  function refuse(reply: FastifyReply, reason: 'address' | 'signature') {
    countRefused(reason)
    return reply.code(401).send()
  }

  app.get(path, { config: { operation: 'hooks.verify' } }, async (request, reply) => {
    const params = paramsSchema.safeParse(request.params)
    const query = handshakeSchema.safeParse(request.query)
    const verified =
      params.success &&
      query.success &&
      (await endpointKeys.isVerifiedBy(params.data.endpointId, query.data['hub.verify_token']))
    if (!verified || !query.success) {
      countRefused('handshake')
      return reply.code(403).type('text/plain').send('')
    }
    return reply.type('text/plain').send(query.data['hub.challenge'])
  })

  app.post<{ Body: Buffer }>(
    path,
    {
      bodyLimit: bodyLimitBytes,
      config: { operation: 'hooks.receive' },
      // Checked before the body is read: an unknown address, or a missing signature, takes up no memory.
      onRequest: async (request, reply) => {
        const params = paramsSchema.safeParse(request.params)
        if (!params.success || !(await endpointKeys.isKnown(params.data.endpointId))) return refuse(reply, 'address')
        if (!signatureSchema.safeParse(request.headers['x-hub-signature-256']).success)
          return refuse(reply, 'signature')
      },
    },
    async (request, reply) => {
      const { endpointId } = paramsSchema.parse(request.params)
      const signature = signatureSchema.parse(request.headers['x-hub-signature-256'])
      const workspaceId = await endpointKeys.workspaceOf(endpointId, request.body, signature)
      if (workspaceId === undefined) return refuse(reply, 'signature')
      await ingest.store(workspaceId, request.body)
      return reply.code(200).send()
    },
  )
}

import type { MoveGate } from '@parley/service-kit/data/move-gate'
import { acceptRawBodies } from '@parley/service-kit/http/received-bodies'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { EndpointKeys } from '../endpoints/endpoint-keys.ts'
import { type HandOn, handedOnHeader } from './hand-on.ts'
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
  readonly handOn: HandOn
  readonly gate: Pick<MoveGate, 'of' | 'run'>
  readonly countRefused: (reason: 'address' | 'signature' | 'handshake') => void
}

/**
 * Serves WhatsApp's requests: the handshake of a callback, and its webhooks. Anyone may reach it; a webhook counts by its
 * signature. Source: Meta, Graph API webhooks.
 */
export async function ingestRoutes(
  app: FastifyInstance,
  { endpointKeys, ingest, handOn, gate, countRefused }: Options,
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
    if (params.success && query.success && !verified) {
      const { endpointId } = params.data
      const handedOn = request.headers[handedOnHeader]
      const status = await handOn.pass({ endpointId, handedOn, handshake: query.data }, null)
      if (status === 200) return reply.type('text/plain').send(query.data['hub.challenge'])
    }
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
        if (!params.success) return refuse(reply, 'address')
        const { endpointId } = params.data
        if (!(await endpointKeys.isKnown(endpointId)) && !(await handOn.knows(endpointId)))
          return refuse(reply, 'address')
        if (!signatureSchema.safeParse(request.headers['x-hub-signature-256']).success)
          return refuse(reply, 'signature')
      },
    },
    async (request, reply) => {
      const { endpointId } = paramsSchema.parse(request.params)
      const signature = signatureSchema.parse(request.headers['x-hub-signature-256'])
      const workspaceId = await endpointKeys.workspaceOf(endpointId, request.body, signature)
      const move = workspaceId === undefined ? null : await gate.of({ workspaceId })
      if (workspaceId !== undefined && !move) {
        await gate.run({ workspaceId }, () => ingest.store(workspaceId, request.body))
        return reply.code(200).send()
      }
      const { 'content-type': type = 'application/json', [handedOnHeader]: handedOn } = request.headers
      const post = { body: request.body, signature, type }
      const status = await handOn.pass({ endpointId, handedOn, post }, move)
      return status === undefined ? refuse(reply, 'signature') : reply.code(status).send()
    },
  )
}

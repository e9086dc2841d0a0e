import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Simulator } from '../simulator.ts'
import { GraphError, unknownObject } from './graph-error.ts'
import { parsed } from './numbers.routes.ts'

const querySchema = z.object({
  file_name: z.string().max(240).optional(),
  file_length: z.coerce
    .number()
    .int()
    .min(1)
    .max(100 * 1024 * 1024),
  file_type: z.string().max(100),
})

/** Uploads in two calls, for samples of template headers: a session, then the bytes, answered by a handle. */
export function serveUploads(graph: FastifyInstance, { authority, world, templates }: Simulator): void {
  const sessions = new Map<string, { length: number; type: string; received: number }>()

  graph.post<{ Params: { id: string }; Querystring: unknown }>('/:id/uploads', async (request) => {
    const token = authority.tokenOf(request)
    if (token.appId !== request.params.id) throw unknownObject(request.params.id)
    const { file_length: length, file_type: type } = parsed(querySchema, request.query)
    const id = `upload:${world.random.token(32)}`
    sessions.set(id, { length, type, received: 0 })
    return { id }
  })

  graph.get<{ Params: { session: string } }>('/upload:::session', async (request) => {
    authority.tokenOf(request)
    const id = `upload:${request.params.session}`
    const session = sessions.get(id)
    if (!session) throw unknownObject(id)
    return { id, file_offset: session.received }
  })

  const options = { bodyLimit: 100 * 1024 * 1024 }
  graph.post<{ Params: { session: string }; Body: Buffer }>('/upload:::session', options, async (request) => {
    authority.tokenOf(request)
    const id = `upload:${request.params.session}`
    const session = sessions.get(id)
    if (!session) throw unknownObject(id)
    session.received += Buffer.isBuffer(request.body) ? request.body.length : 0
    if (session.received < session.length) throw new GraphError(100, { details: 'file: is shorter than file_length' })
    sessions.delete(id)
    const handle = `4::${Buffer.from(session.type).toString('base64')}:${world.random.token(24)}`
    templates.keepHandle(handle, session.type)
    return { h: handle }
  })
}

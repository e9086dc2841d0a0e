import multipart from '@fastify/multipart'
import { allowLongBody } from '@parley/service-kit/core/request-bodies'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Simulator } from '../simulator.ts'
import { GraphError } from './graph-error.ts'

const mib = 1024 * 1024
/** Largest file of each kind; types that are neither listed nor documents are refused. */
const limits: Record<string, number> = {
  'image/jpeg': 5 * mib,
  'image/png': 5 * mib,
  'image/webp': 500 * 1024,
  'video/mp4': 16 * mib,
  'video/3gpp': 16 * mib,
  'audio/aac': 16 * mib,
  'audio/amr': 16 * mib,
  'audio/mpeg': 16 * mib,
  'audio/mp4': 16 * mib,
  'audio/ogg': 16 * mib,
}
const documentLimit = 100 * mib
const isDocument = (type: string) => type === 'text/plain' || type.startsWith('application/')

/** Media: upload and bytes. The address needs the token, lives 5 minutes and never redirects. */
export async function serveMedia(graph: FastifyInstance, { authority, world, media }: Simulator): Promise<void> {
  await graph.register(multipart, { limits: { files: 1, fileSize: documentLimit, fields: 5 } })

  graph.post<{ Params: { id: string } }>('/:id/media', { bodyLimit: documentLimit + mib }, async (request) => {
    const number = authority.numberOf(request, request.params.id, 'whatsapp_business_messaging')
    allowLongBody(request.raw)
    const { fields, file } = await readForm(request)
    if (fields['messaging_product'] !== 'whatsapp')
      throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' })
    if (!file) throw new GraphError(100, { message: '(#100) The parameter file is required.' })
    const type = (fields['type'] ?? file.type).split(';')[0]?.trim() ?? ''
    const limit = limits[type] ?? (isDocument(type) ? documentLimit : undefined)
    if (limit === undefined)
      throw new GraphError(100, { message: `(#100) Param file must be a file of an allowed type. Received ${type}.` })
    if (file.bytes.length > limit)
      throw new GraphError(100, { message: `(#100) Param file is larger than ${limit} bytes.` })
    return { id: media.keep(number.id, { ...file, type }, 'business').id }
  })

  graph.get<{ Params: { id: string }; Querystring: { until?: string } }>('/lookaside/:id', async (request, reply) => {
    const token = authority.tokenOf(request)
    const found = media.live(request.params.id)
    const number = found && world.numbers.get(found.numberId)
    const expired = Number(request.query.until ?? 0) < world.clock.now()
    if (!found || !number || !authority.mayReach(token, number.accountId) || expired)
      return reply.code(404).type('text/plain').send('Not found')
    return sendBytes(reply.type(found.mimeType), media.bytes(found), request.headers.range)
  })
}

/** Returns the bytes, or the one range of them that is asked for. */
export function sendBytes(reply: FastifyReply, bytes: Buffer, range: string | undefined) {
  reply.header('accept-ranges', 'bytes')
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return reply.send(bytes)
  const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (start > end) return reply.code(416).header('content-range', `bytes */${bytes.length}`).send()
  return reply
    .code(206)
    .header('content-range', `bytes ${start}-${end}/${bytes.length}`)
    .send(bytes.subarray(start, end + 1))
}

async function readForm(request: FastifyRequest) {
  if (!request.isMultipart()) throw new GraphError(100, { message: '(#100) The parameter file is required.' })
  const fields: Record<string, string> = {}
  let file: { bytes: Buffer; type: string; name: string | null } | undefined
  for await (const part of request.parts()) {
    if (part.type === 'file') file = { bytes: await part.toBuffer(), type: part.mimetype, name: part.filename || null }
    else fields[part.fieldname] = String(part.value)
  }
  return { fields, file }
}

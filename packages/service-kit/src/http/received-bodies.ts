import { PassThrough, Transform } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errors } from '../core/errors.ts'
import { allowLongBody } from '../core/request-bodies.ts'

/** Hands every body of a scope over as the bytes that were received, whatever its content type. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.addHook('preValidation', async (request) => {
    request.body ??= Buffer.alloc(0)
  })
}

/**
 * Hands every body of a scope over as a stream. More bytes than the route's limit end the stream with `body_too_large`; a
 * declared length above it is refused before the handler runs.
 */
export function acceptStreamedBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request, payload, done) => {
    const limitBytes = request.routeOptions.bodyLimit ?? 0
    if (Number(request.headers['content-length']) > limitBytes) {
      done(errors.bodyTooLarge(limitBytes))
      return
    }
    const body = countingUpTo(limitBytes)
    allowLongBody(request.raw)
    // A pipeline would close the connection on a failure, and with it the way for the answer.
    payload.pipe(body)
    payload.once('close', () => {
      if (!payload.readableEnded) body.destroy(errors.badRequest('The upload ended early.'))
    })
    done(null, body)
  })
  scope.addHook('preValidation', async (request) => {
    request.body ??= new PassThrough().end()
  })
}

function countingUpTo(limitBytes: number): Transform {
  let seenBytes = 0
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seenBytes += chunk.length
      if (seenBytes > limitBytes) done(errors.bodyTooLarge(limitBytes))
      else done(null, chunk)
    },
  })
  counted.on('error', () => {
    // Whoever reads it hears of it; nobody may be reading any more.
  })
  return counted
}

import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
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
    const body = new StreamedBody(limitBytes)
    allowLongBody(request.raw)
    // A pipeline would close the connection on a failure, and with it the way for the answer.
    payload.pipe(body)
    payload.once('close', () => {
      if (!payload.readableEnded) body.destroy(errors.badRequest('The upload ended early.'))
    })
    done(null, body)
  })
  scope.addHook('preValidation', async (request) => {
    request.body ??= new StreamedBody(0).end()
  })
}

/** Counts and hashes the bytes of an upload as they pass. */
export class StreamedBody extends Transform {
  readonly #limitBytes: number
  readonly #hash = createHash('sha256')
  #seenBytes = 0

  constructor(limitBytes: number) {
    super()
    this.#limitBytes = limitBytes
    this.on('error', () => {
      // The reader gets the error; there may be no reader any more.
    })
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#seenBytes += chunk.length
    if (this.#seenBytes > this.#limitBytes) done(errors.bodyTooLarge(this.#limitBytes))
    else {
      this.#hash.update(chunk)
      done(null, chunk)
    }
  }

  /** @returns the hash of all bytes, once each of them was read; undefined before. */
  contentHash(): string | undefined {
    return this.readableEnded ? this.#hash.copy().digest('base64url') : undefined
  }
}

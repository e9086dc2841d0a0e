import type { FastifyInstance, HTTPMethods } from 'fastify'
import { errors } from '../core/errors.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Remembers each path's methods, so that a known path with another method answers 405 with `Allow` instead of 404
 * (RFC 9110 section 15.5.6). Call it before the routes are added and its result after them.
 */
export function trackMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const seen = known.get(url) ?? new Set()
    for (const name of [method].flat()) seen.add(name)
    known.set(url, seen)
  })
  return () => {
    for (const [url, seen] of [...known]) {
      const allowed = [...seen].join(', ')
      const refused: HTTPMethods[] = methods.filter((name) => !seen.has(name))
      app.route({
        url,
        method: refused,
        config: { operation: 'method_not_allowed' },
        onRequest: async (_request, reply) => {
          reply.header('allow', allowed)
          throw errors.methodNotAllowed()
        },
        handler: () => undefined,
      })
    }
  }
}

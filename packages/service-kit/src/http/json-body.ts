import type { FastifyInstance } from 'fastify'

/**
 * Accepts JSON bodies only. An empty body under a JSON content type is no body: `POST /api/auth/sync` is called so
 *.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined)
    else parseJson(request, body, done)
  })
}

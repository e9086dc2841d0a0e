import type { Logger } from '@parley/service-kit/core/logger'
import { boundRequestBodies } from '@parley/service-kit/core/request-bodies'
import { isLocalRequest } from '@parley/service-kit/http/local-requests'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { z } from 'zod'
import { serveControl } from './control/control.routes.ts'
import { ControlError } from './control/control-error.ts'
import { GraphError } from './graph/graph-error.ts'
import { serveMedia } from './graph/media.routes.ts'
import { serveMessages } from './graph/messages.routes.ts'
import { serveNodes } from './graph/nodes.routes.ts'
import { serveNumbers } from './graph/numbers.routes.ts'
import { serveRegistration } from './graph/registration.routes.ts'
import { serveForms, serveTemplates } from './graph/templates.routes.ts'
import { serveTokens } from './graph/tokens.routes.ts'
import { serveUploads } from './graph/uploads.routes.ts'
import { servePage } from './page/page.routes.ts'
import type { Simulator } from './simulator.ts'

const mib = 1024 * 1024

/** The HTTP face of the simulator: the Graph API under any version, the control API under `/sim`, the page of phones. */
export async function buildApp(simulator: Simulator, logger: Logger): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = logger
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 2 * mib,
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 600 },
    forceCloseConnections: true,
  })
  boundRequestBodies(app.server)
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (!isLocalRequest(headers)) await reply.code(421).send({ message: 'Open the simulator by its own address.' })
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => ({ status: 'ready', parts: {} }))

  await app.register(
    async (graph) => {
      acceptAnything(graph)
      graph.addHook('onSend', async (request, reply) => {
        const usage = simulator.authority.usageOf(request)
        if (usage !== undefined) reply.header('x-business-use-case-usage', usage)
        reply.header('facebook-api-version', 'v26.0')
        reply.header('x-fb-request-id', simulator.world.random.token(22))
        reply.header('x-fb-trace-id', simulator.world.random.token(11))
      })
      graph.setErrorHandler((error, _request, reply) => {
        const known = error instanceof GraphError ? error : undefined
        if (!known && statusOf(error) === 500) logger.warn({ err: error }, 'the simulator could not answer')
        if (known?.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds))
        const body = known?.error ?? { message: 'An unknown error occurred', type: 'OAuthException', code: 1 }
        return heard(reply)
          .code(known?.status ?? statusOf(error))
          .send({ error: { ...body, fbtrace_id: simulator.world.random.token(22) } })
      })
      serveTokens(graph, simulator)
      serveNodes(graph, simulator)
      serveMessages(graph, simulator)
      serveNumbers(graph, simulator)
      serveRegistration(graph, simulator)
      serveTemplates(graph, simulator)
      serveForms(graph, simulator)
      serveUploads(graph, simulator)
      await serveMedia(graph, simulator)
    },
    { prefix: '/:version(^v\\d+\\.\\d+$)' },
  )

  await app.register(
    async (control) => {
      acceptAnything(control)
      control.setErrorHandler((error, _request, reply) => {
        if (error instanceof ControlError) return heard(reply).code(error.status).send({ message: error.message })
        const status = statusOf(error)
        if (status === 500) logger.warn({ err: error }, 'the control API could not answer')
        return heard(reply)
          .code(status)
          .send({ message: error instanceof Error ? error.message : 'Something went wrong.' })
      })
      serveControl(control, simulator)
    },
    { prefix: '/sim' },
  )
  servePage(app, simulator)
  return app
}

/** A connection that fastify closes at once, because a body is too long, loses the answer. */
const heard = (reply: FastifyReply) => reply.removeHeader('connection')

/**
 * Returns the status of an error: one that fastify raises by itself (a body that is too long), one about text that is not JSON,
 * or any other.
 */
function statusOf(error: unknown): number {
  if (error instanceof SyntaxError) return 400
  const refused = z.object({ statusCode: z.number().int().min(400).max(499) }).safeParse(error)
  return refused.success ? refused.data.statusCode : 500
}

/** Parses JSON; an empty body is no body, anything else is bytes. */
function acceptAnything(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body: string, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body))
    } catch (error) {
      done(error instanceof Error ? error : new Error('not JSON'))
    }
  })
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

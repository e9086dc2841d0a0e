import type { Endpoint } from '@parley/contracts/endpoint'
import { endpointsOf } from '@parley/processes/endpoints'
import { processes, type UrlVariable, urlVariable } from '@parley/processes/processes'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { Application, RequestHandler } from 'express'
import type { RequireSession } from '../session/require-session.ts'
import { createForwarder } from './forward.ts'
import type { createUserTokens } from './user-token.ts'

interface Upstream {
  readonly audience: string
  readonly url: string
  readonly endpoints: readonly Endpoint[]
}

type Called = (typeof processes.bff.calls)[number]

/** Which service owns which calls of browsers. What no process lists does not exist for the outside. */
export const upstreams = (urls: Readonly<Record<UrlVariable<Called>, string>>): readonly Upstream[] =>
  processes.bff.calls.map((name) => ({
    audience: name,
    url: urls[urlVariable(name)],
    endpoints: (endpointsOf[name] ?? []).filter(({ access }) => access !== 'service'),
  }))

/**
 * Forwards each listed call to the service that owns it: under a constant path, with an allow-list of headers and an
 * internal token in place of the browser's credentials. Bodies are streamed and never read here.
 */
export function mountApiProxy(
  app: Application,
  options: {
    upstreams: readonly Upstream[]
    requireSession: RequireSession
    userToken: ReturnType<typeof createUserTokens>
  },
): void {
  for (const upstream of options.upstreams) {
    const forward = createForwarder(upstream.url)
    for (const [path, endpoints] of Map.groupBy(upstream.endpoints, (endpoint) => endpoint.path)) {
      app.all(path, async (req, res, next) => {
        const endpoint = endpoints.find(({ method }) => method === req.method)
        res.locals.operation = endpoint?.operation ?? 'api.unknown'
        if (!endpoint) {
          res.set('Allow', endpoints.map(({ method }) => method).join(', '))
          return next(new AppError('method_not_allowed', 'This address does not take that method.'))
        }
        const session = await options.requireSession(req, res, { bearer: endpoint.access === 'session+bearer' })
        res.locals.workspaceId = session.hot.context.workspaceId
        const token = await options.userToken(session, upstream.audience)
        forward(req, res, next, { path, token })
      })
    }
  }
}

/** Whatever no service owns. */
export const unknownApi: RequestHandler = (_req, res, next) => {
  res.locals.operation = 'api.unknown'
  next(errors.notFound())
}

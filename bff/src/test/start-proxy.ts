import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SessionContext } from '@parley/contracts/account/profile-internal'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import express from 'express'
import { onTestFinished } from 'vitest'
import { errorHandler } from '../http/error-handler.ts'
import { createRequestLog } from '../http/request-log.ts'
import { listen } from '../listen.ts'
import type { SessionWithContext } from '../session/session-record.ts'
import { mountApiProxy } from '../upstream/api-proxy.ts'
import { createEventStreams } from '../upstream/event-streams.ts'

const logger = createLogger({ name: 'proxy', level: 'silent' })

/** Treats every caller as signed in; a header names the user where several are needed. */
const sessionOf = (user = 'a', context: Partial<SessionContext> = {}): SessionWithContext => ({
  secret: `secret of ${user}`,
  key: `session of ${user}`,
  version: 1,
  hot: {
    client: 'web',
    claims: { iss: 'https://id.example', sub: user, aud: 'bff-web', exp: 0, iat: 0, email: '', email_verified: true },
    idTokenHash: '',
    tokenExpiresAt: 0,
    createdAt: 0,
    endsAt: 0,
    context: { userId: user.repeat(24), workspaceId: 'b'.repeat(24), role: 'owner', version: 1, ...context },
  },
})

/** The proxy alone, in front of a service of the test's own; everybody is signed in. @returns its origin. */
export async function startProxy(options: {
  service: Server
  endpoints: readonly Endpoint[]
  isAlive?: (session: SessionWithContext) => Promise<boolean>
  /** Parts that differ in the context of every session. */
  context?: Partial<SessionContext>
}): Promise<string> {
  const { service, endpoints, isAlive = async () => true, context } = options
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  onTestFinished(() => {
    service.closeAllConnections()
    service.close()
  })
  const app = express()
  app.disable('x-powered-by')
  app.use(createRequestLog(logger, createMetrics('proxy')))
  mountApiProxy(app, {
    upstreams: [{ audience: 'things', url: originOf(service), endpoints }],
    requireSession: async (req) => sessionOf(req.get('x-test-user'), context),
    userToken: async () => 'internal',
    eventStreams: createEventStreams(isAlive),
  })
  app.use(errorHandler)
  const proxy = await listen(app, '127.0.0.1', 0)
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return originOf(proxy)
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

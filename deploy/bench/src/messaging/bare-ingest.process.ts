import { createHandOn } from '@parley/messaging/hand-on'
import { ingestRoutes } from '@parley/messaging/ingest-routes'
import { isSignedBy } from '@parley/messaging/signature'
import { splitWebhook } from '@parley/messaging/split-webhook'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createPublicApp } from '@parley/service-kit/http/base-app'

/**
 * The route of webhooks as the ingest process has it, with nothing behind it: the signature is checked, the body is split, and
 * the pieces are thrown away.
 */
const { PORT = '', APP_SECRET = '' } = process.env
const app = createPublicApp({
  logger: createLogger({ name: 'bare-ingest', level: 'info' }),
  metrics: createMetrics('bare-ingest'),
  probes: [],
  secure: false,
})
await app.register(ingestRoutes, {
  endpointKeys: {
    workspaceOf: async (_address, body, signature) => (isSignedBy(body, signature, [APP_SECRET]) ? 'any' : undefined),
    isKnown: async () => true,
    isVerifiedBy: async () => false,
  },
  ingest: { store: async (_workspaceId, body) => void splitWebhook(body) },
  handOn: createHandOn({ ofAddress: async () => null }),
  gate: { of: async () => null, run: (_scope, work) => work() },
  countRefused: () => undefined,
})
await app.listen({ host: '127.0.0.1', port: Number(PORT) })

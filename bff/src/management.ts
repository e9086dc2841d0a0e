import { jwksPath } from '@parley/contracts/core/internal-token'
import type { Metrics } from '@parley/service-kit/core/metrics'
import express, { type Express } from 'express'

/** The side that only operators and services reach: metrics, and the keys that verify internal tokens. */
export function buildManagementApp(options: { metrics: Metrics; publicKeys: unknown }): Express {
  const app = express()
  app.disable('x-powered-by')
  app.get('/metrics', async (_req, res) => {
    const { contentType, text } = await options.metrics.render()
    res.type(contentType).send(text)
  })
  app.get(jwksPath, (_req, res) => {
    res.set('Cache-Control', 'public, max-age=60').json(options.publicKeys)
  })
  return app
}

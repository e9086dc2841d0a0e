import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { Router } from 'express'
import sirv from 'sirv'

/**
 * The built page: files under /assets carry a hash in their name and are kept for ever; index.html is asked for each
 * time. Any other path without a file is the page too, which shows its own 404.
 * @throws where the folder holds no build.
 */
export function staticSite(folder: string): Router {
  const index = readFileSync(join(folder, 'index.html'))
  const router = Router()
  router.use((req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next()
    res.set('Allow', 'GET, HEAD')
    return next(new AppError('method_not_allowed', 'This address does not take that method.'))
  })
  router.use(
    sirv(folder, {
      etag: true,
      gzip: true,
      brotli: true,
      setHeaders: (res, path) =>
        res.setHeader(
          'Cache-Control',
          path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
    }),
  )
  router.get(/^\/(?!assets\/)/, (_req, res) => {
    res.set('Cache-Control', 'no-cache').type('html').send(index)
  })
  router.use((_req, _res, next) => next(errors.notFound()))
  return router
}

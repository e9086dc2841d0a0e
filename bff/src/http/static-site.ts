import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { type Request, type Response, Router } from 'express'
import { hashToken } from '../session/session-cipher.ts'

interface SiteFile {
  readonly body: Buffer
  readonly etag: string
}
type Site = ReadonlyMap<string, SiteFile>

/** Variants that the build makes, the smaller first. */
const codings = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const

/**
 * The built page, all of it in memory (a few megabytes), so that a build into the same folder takes nothing away from the
 * page that is being served. Files under /assets carry a hash in their name and are kept for ever; index.html is asked for
 * each time. Any other path without a file is the page too, which shows its own 404.
 * @throws where the folder holds no build.
 */
export function staticSite(folder: string): Router {
  const site = readSite(folder)
  if (!site.has('/index.html')) throw new Error(`STATIC_DIR holds no index.html: ${folder}`)
  const router = Router()
  router.use((req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next()
    res.set('Allow', 'GET, HEAD')
    return next(new AppError('method_not_allowed', 'This address does not take that method.'))
  })
  router.use((req, res, next) => {
    const isFile = site.has(req.path) && !codings.some(({ suffix }) => req.path.endsWith(suffix))
    if (!isFile && req.path.startsWith('/assets/')) return next(errors.notFound())
    return sendFile(site, isFile ? req.path : '/index.html', req, res)
  })
  return router
}

/** Reads every file by its path on the site; files that begin with a dot are the build's own. */
function readSite(folder: string): Site {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.flatMap(({ parentPath, name }) => {
      const file = join(parentPath, name)
      const path = `/${relative(folder, file).split(sep).join('/')}`
      if (path.includes('/.')) return []
      const body = readFileSync(file)
      return [[path, { body, etag: `"${hashToken(body)}"` }]]
    }),
  )
}

function sendFile(site: Site, path: string, req: Request, res: Response): void {
  const made = codings.filter(({ suffix }) => site.has(path + suffix))
  const chosen = made.find(({ coding }) => req.acceptsEncodings(coding))
  const file = site.get(path + (chosen?.suffix ?? ''))
  if (!file) throw errors.notFound()
  if (made.length > 0) res.vary('Accept-Encoding')
  if (chosen) res.set('Content-Encoding', chosen.coding)
  res.set({
    'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: file.etag,
  })
  res.type(extname(path)).send(file.body)
}

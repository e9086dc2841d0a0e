import { csrfHeader } from '@parley/contracts/account/auth'
import { AppError } from '@parley/service-kit/core/errors'
import type { NextFunction, Request, Response } from 'express'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses state-changing calls that our own page did not make: they must come from the same origin (Fetch Metadata, or
 * an exact Origin where a browser sends none) and carry a header which a foreign form cannot set. A Bearer token is such
 * a header for the calls that need one.
 */
export function createCsrfGuard(publicOrigin: string, exempt: ReadonlySet<string>) {
  return function csrfGuard(req: Request, res: Response, next: NextFunction) {
    if (safeMethods.has(req.method) || exempt.has(req.path)) return next()
    const reject = (detail: string) => {
      res.locals.operation = 'csrf'
      next(rejected(detail))
    }
    if (!isSameOrigin(req, publicOrigin)) return reject('not same-origin')
    const marked = req.get(csrfHeader) === '1' || req.get('authorization')?.startsWith('Bearer ')
    return marked ? next() : reject('no custom header')
  }
}

function isSameOrigin(req: Request, publicOrigin: string): boolean {
  const site = req.get('sec-fetch-site')
  return site === undefined ? req.get('origin') === publicOrigin : site === 'same-origin'
}

const rejected = (detail: string) =>
  new AppError('csrf_rejected', 'This request did not come from the Parley page. Reload the page and try again.', {
    detail,
  })

import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * Headers of every answer. The opener policy lets our own sign-in popup report back; everything under /auth sets none,
 * because browsers apply it on each hop of a redirect chain and one strict hop cuts the popup off.
 */
export function securityHeaders(options: { publicOrigin: string; photoHosts: string }): RequestHandler[] {
  const secure = options.publicOrigin.startsWith('https:')
  const base = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:', 'blob:', ...options.photoHosts.split(' ').filter(Boolean)],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'object-src': ["'none'"],
        'form-action': ["'self'"],
        ...(secure && { 'upgrade-insecure-requests': [] }),
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: secure,
    xFrameOptions: { action: 'deny' },
  })
  const byPath: RequestHandler = (req, res, next) => {
    if (req.path.startsWith('/auth/')) res.set('Cross-Origin-Opener-Policy', 'unsafe-none')
    if (/^\/(auth|api|v1|healthz|readyz)(\/|$)/.test(req.path)) res.set('Cache-Control', 'no-store')
    next()
  }
  return [base, byPath]
}

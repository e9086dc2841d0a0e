import { AppError } from '@parley/service-kit/core/errors'
import { type Application, urlencoded } from 'express'
import { z } from 'zod'
import { guard } from '../session/session-store.ts'
import type { AuthDependencies } from './auth.ts'

export const backchannelLogoutPath = '/auth/backchannel-logout'
const formSchema = z.object({ logout_token: z.string().min(1).max(16_384) })
const rememberTokenSeconds = 600

/** The provider tells that a session or an account was signed out (OpenID Connect Back-Channel Logout 1.0). */
export function mountBackchannelLogout(
  app: Application,
  { store, redis, verifyLogoutToken, logger }: AuthDependencies,
): void {
  app.all(backchannelLogoutPath, (req, res, next) => {
    res.locals.operation = 'auth.backchannelLogout'
    if (req.method === 'POST') return next()
    res.set('Allow', 'POST')
    return next(new AppError('method_not_allowed', 'Use POST here.'))
  })
  app.post(
    backchannelLogoutPath,
    urlencoded({ extended: false, limit: '20kb', parameterLimit: 5 }),
    async (req, res) => {
      const form = formSchema.safeParse(req.body ?? {})
      if (!form.success) throw new AppError('invalid_logout_token', 'Send a logout_token as a form.')
      const { iss, sub, sid, jti, iat } = await verifyLogoutToken(form.data.logout_token)
      const seen = await guard(() => redis.exists(`jti:${jti}`))
      const ended = seen ? 0 : await store.destroyBy({ iss, sub, sid }, { at: iat * 1000 })
      // Recorded last: a logout that failed half-way is sent again, and must then be carried out.
      await guard(() => redis.set(`jti:${jti}`, '1', 'EX', rememberTokenSeconds))
      logger.info({ requestId: res.locals.requestId, ended }, 'signed out by the identity provider')
      res.status(200).end()
    },
  )
}

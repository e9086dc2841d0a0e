import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { credentialsSchema, emailSchema } from './auth.ts'

const accountParams = z.object({
  /** The account's id at the identity provider: the `sub` of its tokens. */
  sub: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\w-]+$/),
})

/** Account administration, for other Parley processes only: `services/identity` alone holds the admin credentials. */
export const identityApi = {
  createAccount: defineEndpoint({
    operation: 'identity.createAccount',
    method: 'POST',
    path: '/internal/accounts',
    access: 'service',
    callers: ['bff'],
    summary: 'Creates an enabled account with a permanent password.',
    body: credentialsSchema.extend({
      /** True where a link in a mail to that address has led here. */
      emailVerified: z.boolean().default(false),
    }),
    status: 201,
    response: z.object({ sub: z.string() }),
    errors: [
      'account_exists',
      'email_invalid',
      'password_too_short',
      'password_too_common',
      'password_refused',
      'identity_provider_unavailable',
    ],
  }),
  setPassword: defineEndpoint({
    operation: 'identity.setPassword',
    method: 'PUT',
    path: '/internal/accounts/:sub/password',
    access: 'service',
    callers: ['bff'],
    summary: 'Gives an account another permanent password.',
    params: accountParams,
    body: credentialsSchema.pick({ password: true }),
    status: 204,
    errors: [
      'account_not_found',
      'password_too_short',
      'password_too_common',
      'password_refused',
      'identity_provider_unavailable',
    ],
  }),
  sendVerification: defineEndpoint({
    operation: 'identity.sendVerification',
    method: 'POST',
    path: '/internal/accounts/:sub/verification-email',
    access: 'service',
    callers: ['bff'],
    summary: 'Mails the account a link that verifies its address; the link lives one hour.',
    params: accountParams,
    status: 204,
    errors: ['account_not_found', 'mail_unavailable', 'identity_provider_unavailable'],
  }),
  sendPasswordReset: defineEndpoint({
    operation: 'identity.sendPasswordReset',
    method: 'POST',
    path: '/internal/password-resets',
    access: 'service',
    callers: ['bff'],
    summary: 'Mails a reset link (15 minutes) if the address has an account. The answer is the same if it has none.',
    body: z.object({ email: emailSchema }),
    status: 202,
    errors: ['mail_unavailable', 'identity_provider_unavailable'],
  }),
  clearFailures: defineEndpoint({
    operation: 'identity.clearFailures',
    method: 'POST',
    path: '/internal/finished-resets',
    access: 'service',
    callers: ['bff'],
    summary: 'Forgets the wrong passwords of an account whose password is newer than the reset mail.',
    body: z.object({ email: emailSchema, mailedAt: z.iso.datetime() }),
    status: 200,
    response: z.object({ cleared: z.boolean() }),
    errors: ['identity_provider_unavailable'],
  }),
  endSessions: defineEndpoint({
    operation: 'identity.endSessions',
    method: 'POST',
    path: '/internal/accounts/:sub/end-sessions',
    access: 'service',
    callers: ['bff'],
    summary: "Ends all of the account's sessions at the identity provider, which sends back-channel logouts.",
    params: accountParams,
    status: 204,
    errors: ['account_not_found', 'identity_provider_unavailable'],
  }),
  endSession: defineEndpoint({
    operation: 'identity.endSession',
    method: 'POST',
    path: '/internal/accounts/:sub/end-session',
    access: 'service',
    callers: ['bff'],
    summary: "Ends one of the account's sessions at the identity provider.",
    params: accountParams,
    body: z.object({
      /** `sid` of the session's tokens. */
      sid: z.string().min(1).max(255),
    }),
    status: 204,
    errors: ['account_not_found', 'identity_provider_unavailable'],
  }),
  endAccount: defineEndpoint({
    operation: 'identity.endAccount',
    method: 'POST',
    path: '/internal/accounts/:sub/end',
    access: 'service',
    callers: ['bff'],
    summary: 'Signs the account out everywhere through back-channel logouts, then disables or deletes it.',
    params: accountParams,
    body: z.object({ how: z.enum(['disable', 'delete']) }),
    status: 204,
    errors: ['account_not_found', 'identity_provider_unavailable'],
  }),
  reclaimAccount: defineEndpoint({
    operation: 'identity.reclaimAccount',
    method: 'POST',
    path: '/internal/accounts/:sub/reclaim',
    access: 'service',
    callers: ['bff'],
    summary:
      "Removes the account's password and ends its sessions at the identity provider, but the one that is named.",
    params: accountParams,
    body: z.object({
      /** `sid` of the session that has just proven who owns the account. */
      keepSession: z.string().min(1).max(255).optional(),
    }),
    status: 204,
    errors: ['account_not_found', 'identity_provider_unavailable'],
  }),
}

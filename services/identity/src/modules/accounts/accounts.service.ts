import type { Credentials } from '@parley/contracts/account/auth'
import { z } from 'zod'
import type { KeycloakAdmin } from './keycloak-admin.ts'
import { accountError, creationError, unexpected } from './provider-refusal.ts'

const verificationLifeSeconds = 3600
const resetLifeSeconds = 900

const credentialsSchema = z.array(
  z.object({
    id: z.string().min(1),
    type: z.string(),
    /** Milliseconds since 1970. */
    createdDate: z.number().optional(),
  }),
)
const sessionsSchema = z.array(z.object({ id: z.string().min(1) }))
const foundSchema = z.array(z.object({ id: z.string().min(1), email: z.string().optional() }))

export function createAccountsService({
  provider,
  mailLinkClientId,
  publicOrigin,
}: {
  provider: Pick<KeycloakAdmin, 'call'>
  mailLinkClientId: string
  publicOrigin: string
}) {
  const linkBackTo = (path: string, lifeSeconds: number) => ({
    client_id: mailLinkClientId,
    redirect_uri: `${publicOrigin}${path}`,
    lifespan: String(lifeSeconds),
  })
  const user = (sub: string) => `/users/${encodeURIComponent(sub)}` as const

  /** @throws `account_exists`, `email_invalid`, `password_too_short`, `password_too_common`, `password_refused`. */
  async function create({
    email,
    password,
    emailVerified = false,
  }: Credentials & { emailVerified?: boolean }): Promise<{ sub: string }> {
    const answer = await provider.call({
      method: 'POST',
      path: '/users',
      json: {
        username: email,
        email,
        emailVerified,
        enabled: true,
        credentials: [{ type: 'password', value: password, temporary: false }],
      },
      repeatable: false,
    })
    if (answer.status !== 201) throw creationError(answer)
    const sub = answer.location?.split('/').at(-1)
    if (!sub) throw unexpected(answer)
    return { sub }
  }

  /** @throws `account_not_found`, `password_too_short`, `password_too_common`, `password_refused`. */
  async function setPassword(sub: string, password: string): Promise<void> {
    const answer = await provider.call({
      method: 'PUT',
      path: `${user(sub)}/reset-password`,
      json: { type: 'password', value: password, temporary: false },
      repeatable: true,
    })
    if (answer.status === 400) throw creationError(answer)
    if (answer.status >= 300) throw accountError(answer, { sendsMail: false })
  }

  /** @throws `account_not_found`, `mail_unavailable`. */
  async function sendVerification(sub: string): Promise<void> {
    const answer = await provider.call({
      method: 'PUT',
      path: `${user(sub)}/send-verify-email`,
      query: linkBackTo('/verify-email', verificationLifeSeconds),
      repeatable: false,
    })
    if (answer.status >= 300) throw accountError(answer, { sendsMail: true })
  }

  /** Resolves alike whether the address has an account or not. @throws `mail_unavailable`. */
  async function sendPasswordReset(email: string): Promise<void> {
    const sub = await findByEmail(email)
    if (sub === undefined) return
    const answer = await provider.call({
      method: 'PUT',
      path: `${user(sub)}/execute-actions-email`,
      query: linkBackTo('/login', resetLifeSeconds),
      json: ['UPDATE_PASSWORD'],
      repeatable: false,
    })
    // A disabled account is 400 and one just deleted 404: neither is to be told from an address without an account.
    if (answer.status === 404 || isDisabled(answer.status, answer.body)) return
    if (answer.status >= 300) throw accountError(answer, { sendsMail: true })
  }

  /**
   * Forgets the failed sign-ins of an account whose password was replaced after a reset mail: who has the mailbox is no guesser, and
   * the provider itself keeps refusing them. @returns whether it did.
   */
  async function clearFailures(email: string, mailedAt: Date): Promise<{ cleared: boolean }> {
    const sub = await findByEmail(email)
    if (sub === undefined) return { cleared: false }
    const credentials = await list(`${user(sub)}/credentials`, credentialsSchema)
    const isNew = credentials.some(
      ({ type, createdDate = 0 }) => type === 'password' && createdDate > mailedAt.getTime(),
    )
    if (isNew) await remove(`/attack-detection/brute-force/users/${encodeURIComponent(sub)}`)
    return { cleared: isNew }
  }

  /** @throws `account_not_found`. */
  async function endSessions(sub: string): Promise<void> {
    const answer = await provider.call({ method: 'POST', path: `${user(sub)}/logout`, repeatable: true })
    if (answer.status >= 300) throw accountError(answer, { sendsMail: false })
  }

  /**
   * Ends the account itself. Its sessions first: for those of an account that is disabled or gone the provider sends no logout, and
   * they would continue until their next renewal.
   * @throws `account_not_found`.
   */
  async function end(sub: string, how: 'disable' | 'delete'): Promise<void> {
    await endSessions(sub)
    if (how === 'delete') return remove(user(sub))
    const answer = await provider.call({ method: 'PUT', path: user(sub), json: { enabled: false }, repeatable: true })
    if (answer.status >= 300) throw accountError(answer, { sendsMail: false })
  }

  /** Ends one session if it is this account's; one that has ended already is passed over. @throws `account_not_found`. */
  async function endSession(sub: string, sid: string): Promise<void> {
    const userSessions = await list(`${user(sub)}/sessions`, sessionsSchema)
    if (userSessions.some(({ id }) => id === sid)) await remove(`/sessions/${encodeURIComponent(sid)}`)
  }

  /**
   * Takes an account back from the person who set its password. Safe to repeat: what is gone already is passed over.
   * @throws `account_not_found`.
   */
  async function reclaim(sub: string, keepSession: string | undefined): Promise<void> {
    for (const { id, type } of await list(`${user(sub)}/credentials`, credentialsSchema)) {
      if (type === 'password') await remove(`${user(sub)}/credentials/${encodeURIComponent(id)}`)
    }
    for (const { id } of await list(`${user(sub)}/sessions`, sessionsSchema)) {
      if (id !== keepSession) await remove(`/sessions/${encodeURIComponent(id)}`)
    }
  }

  async function list<T extends z.ZodType>(path: `/${string}`, schema: T): Promise<z.infer<T>> {
    const answer = await provider.call({ method: 'GET', path, repeatable: true })
    if (answer.status !== 200) throw accountError(answer, { sendsMail: false })
    const parsed = schema.safeParse(answer.body)
    if (!parsed.success) throw unexpected(answer)
    return parsed.data
  }

  async function remove(path: `/${string}`): Promise<void> {
    const answer = await provider.call({ method: 'DELETE', path, repeatable: true })
    if (answer.status >= 300 && answer.status !== 404) throw unexpected(answer)
  }

  async function findByEmail(email: string): Promise<string | undefined> {
    const answer = await provider.call({
      method: 'GET',
      path: '/users',
      query: { email, exact: 'true' },
      repeatable: true,
    })
    const found = foundSchema.safeParse(answer.body)
    if (answer.status !== 200 || !found.success) throw unexpected(answer)
    return found.data.find((candidate) => candidate.email?.toLowerCase() === email)?.id
  }

  return {
    create,
    setPassword,
    sendVerification,
    sendPasswordReset,
    clearFailures,
    endSessions,
    end,
    endSession,
    reclaim,
  }
}

const disabledSchema = z.object({ errorMessage: z.string().regex(/disabled/i) })
const isDisabled = (status: number, body: unknown): boolean => status === 400 && disabledSchema.safeParse(body).success

import { ClientSecretRefused, createClientSecrets } from '@parley/service-kit/core/client-secrets'
import { errors } from '@parley/service-kit/core/errors'
import { z } from 'zod'
import { type Fetch, sendToProvider } from './provider-request.ts'

/** Time before its end at which a token is no longer used: a call under way must still find it valid. */
const marginMs = 30_000

const tokenAnswerSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

interface AdminToken {
  readonly value: string
  readonly obtainedAt: number
  readonly usableUntil: number
}

/**
 * The service account's access token (client credentials, RFC 6749 section 4.4), obtained once for all calls and again
 * shortly before its end.
 */
export function createAdminToken(options: {
  tokenUrl: string
  clientId: string
  clientSecrets: readonly string[]
  fetch: Fetch
}) {
  const withSecret = createClientSecrets(options.clientSecrets)
  let current: AdminToken | undefined
  let inFlight: Promise<AdminToken> | undefined

  const obtain = () =>
    withSecret(obtainWith).catch((error: unknown) => {
      throw error instanceof ClientSecretRefused ? errors.identityProviderUnavailable(error) : error
    })

  async function obtainWith(clientSecret: string): Promise<AdminToken> {
    const { status, body } = await sendToProvider(options.fetch, {
      method: 'POST',
      url: options.tokenUrl,
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: options.clientId,
        client_secret: clientSecret,
      }),
      repeatable: true,
    })
    const parsed = tokenAnswerSchema.safeParse(body)
    if (status !== 200 || !parsed.success) {
      const problem = new Error(`the token endpoint answered ${status}`)
      throw status === 401 ? new ClientSecretRefused(problem) : errors.identityProviderUnavailable(problem)
    }
    const lifeMs = parsed.data.expires_in * 1000
    const obtainedAt = performance.now()
    const usableUntil = obtainedAt + Math.max(lifeMs - marginMs, lifeMs / 2)
    return { value: parsed.data.access_token, obtainedAt, usableUntil }
  }

  function renew(): Promise<AdminToken> {
    inFlight ??= obtain()
      .then((token) => {
        current = token
        return token
      })
      .finally(() => {
        inFlight = undefined
      })
    return inFlight
  }

  return {
    get: async (): Promise<string> => {
      if (current && performance.now() < current.usableUntil) return current.value
      return (await renew()).value
    },
    /** Forgets a token that the provider has refused. */
    drop: (value: string): void => {
      if (current?.value === value) current = undefined
    },
    /** True when the provider gave a token within the last `maxAgeMs`, or gives one now. */
    isFresh: async (maxAgeMs: number): Promise<boolean> => {
      if (current && performance.now() - current.obtainedAt < maxAgeMs) return true
      await renew()
      return true
    },
  }
}

import { z } from 'zod'

const timeoutMs = 20_000
const tokenSchema = z.object({ access_token: z.string() })
const accountsSchema = z.array(z.looseObject({ id: z.string(), emailVerified: z.boolean() }))

/** Keycloak's admin REST interface of one realm as an operator uses it, by a client with a service account. */
export function createProviderAdmin(options: { issuer: string; clientId: string; clientSecret: string }) {
  const signal = () => AbortSignal.timeout(timeoutMs)

  async function accessToken(): Promise<string> {
    const form = {
      grant_type: 'client_credentials',
      client_id: options.clientId,
      client_secret: options.clientSecret,
    }
    const url = `${options.issuer}/protocol/openid-connect/token`
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), signal: signal() })
    if (!answer.ok) throw new Error(`the provider's token endpoint answered ${answer.status}: ${await answer.text()}`)
    return tokenSchema.parse(await answer.json()).access_token
  }

  /** @param path below the realm's admin interface: `/users`. @throws where the answer is neither a success nor `accepted`. */
  async function call(method: string, path: string, body?: unknown, accepted?: number): Promise<Response> {
    const answer = await fetch(`${options.issuer.replace('/realms/', '/admin/realms/')}${path}`, {
      method,
      headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal(),
    })
    if (answer.ok || answer.status === accepted) return answer
    throw new Error(`${method} ${path} of the provider answered ${answer.status}: ${await answer.text()}`)
  }

  async function findAccount(email: string) {
    const answer = await call('GET', `/users?${new URLSearchParams({ email, exact: 'true' })}`)
    return accountsSchema.parse(await answer.json())[0]
  }

  return { call, findAccount }
}

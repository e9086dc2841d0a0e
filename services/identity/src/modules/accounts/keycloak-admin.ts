import { createAdminToken } from './admin-token.ts'
import { type Fetch, type ProviderAnswer, type ProviderRequest, sendToProvider } from './provider-request.ts'

type AdminCall = Pick<ProviderRequest, 'method' | 'repeatable'> & {
  /** Below the realm's admin interface: `/users`. */
  readonly path: `/${string}`
  readonly query?: Record<string, string>
  readonly json?: unknown
}

export type KeycloakAdmin = ReturnType<typeof createKeycloakAdmin>

/** Age up to which a token shows that the provider answers. */
const livenessMs = 10_000

/** Looks for an address that no one can have (RFC 2606). */
const harmlessQuestion: AdminCall = {
  method: 'GET',
  path: '/users',
  query: { email: 'nobody@parley.invalid', exact: 'true' },
  repeatable: true,
}

/**
 * Keycloak's admin REST interface of one realm, called as a service account.
 * @param options.issuer the realm's issuer, `https://id.example.com/realms/parley`.
 */
export function createKeycloakAdmin(options: {
  issuer: string
  clientId: string
  /** Two while the secret is being replaced. */
  clientSecrets: readonly string[]
  fetch?: Fetch
}) {
  const fetch = options.fetch ?? globalThis.fetch
  const base = options.issuer.replace(/\/realms\/([^/]+)$/, '/admin/realms/$1')
  const tokenUrl = `${options.issuer}/protocol/openid-connect/token`
  const token = createAdminToken({ ...options, tokenUrl, fetch })

  /** Refreshes a refused token once: the provider may have been restarted or its keys replaced. */
  async function call(request: AdminCall): Promise<ProviderAnswer> {
    const first = await token.get()
    const answer = await send(request, first)
    if (answer.status !== 401) return answer
    token.drop(first)
    return send(request, await token.get())
  }

  function send({ method, path, query, json, repeatable }: AdminCall, accessToken: string): Promise<ProviderAnswer> {
    const search = query ? `?${new URLSearchParams(query)}` : ''
    return sendToProvider(fetch, {
      method,
      url: `${base}${path}${search}`,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      repeatable,
    })
  }

  let adminSeen = false
  /**
   * Returns whether the provider answers. A token says nothing of the way to the admin interface, which is not routed everywhere,
   * nor of the account's roles: it must have answered a request of ours once.
   */
  async function answers(): Promise<boolean> {
    await token.isFresh(livenessMs)
    adminSeen ||= (await call(harmlessQuestion)).status === 200
    return adminSeen
  }

  return { call, answers }
}

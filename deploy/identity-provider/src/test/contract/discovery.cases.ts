import { expect } from 'vitest'
import { fiveMinutes, post } from './calls.ts'
import type { ContractCase } from './target.ts'

export const discoveryCases: ContractCase[] = [
  {
    name: 'discovery names the endpoints under Keycloak’s paths',
    run: async ({ issuer }) => {
      const response = await fetch(`${issuer}/.well-known/openid-configuration`)
      expect(response.status).toBe(200)
      const base = `${issuer}/protocol/openid-connect`
      expect(await response.json()).toMatchObject({
        issuer,
        authorization_endpoint: `${base}/auth`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/certs`,
        userinfo_endpoint: `${base}/userinfo`,
        end_session_endpoint: `${base}/logout`,
        revocation_endpoint: `${base}/revoke`,
        introspection_endpoint: `${base}/token/introspect`,
        backchannel_logout_supported: true,
        code_challenge_methods_supported: expect.arrayContaining(['S256']),
      })
    },
  },
  {
    name: 'an unknown realm and an unknown path are 404 in JSON',
    run: async ({ issuer }) => {
      const realm = await fetch(issuer.replace(/[^/]+$/, 'nowhere'))
      expect([realm.status, await realm.json()]).toEqual([
        404,
        expect.objectContaining({ error: 'Realm does not exist' }),
      ])
      const path = await fetch(`${issuer}/nothing-here`)
      expect([path.status, await path.json()]).toEqual([404, expect.objectContaining({ error: expect.any(String) })])
    },
  },
  {
    name: 'a service account gets a token for 300 s and no refresh token',
    run: async (target) => {
      const authorization = `Basic ${btoa(`svc-identity:${target.secrets.identity}`)}`
      const answer = await post(target, 'token', { grant_type: 'client_credentials' }, { authorization })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ expires_in: fiveMinutes, token_type: 'Bearer' })
      expect(answer.body).not.toHaveProperty('refresh_token')
    },
  },
]

import { handlerPath } from '@parley/contracts/account/auth'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAuthorizedDomain } from '../../auth/authorized-domains.ts'
import { nasty } from '../hostile-text.ts'
import { rawRequest } from '../raw-request.ts'
import { type Bff, startBff } from '../start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin' }
const raw = (path: string) => rawRequest(bff.url, { path, headers: sameOriginHeaders })
const runs = { numRuns: 150 }

describe('the authorization endpoint', () => {
  test('with any parameters answers 303 to the provider or 400', async () => {
    const good: Record<string, string> = {
      response_type: 'code',
      client_id: 'spa',
      redirect_uri: `${bff.config.PUBLIC_ORIGIN}${handlerPath}`,
      state: 's',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    }
    const change = fc.dictionary(
      fc.constantFrom(...Object.keys(good), 'provider', 'prompt', 'login_hint', 'iss', '__proto__'),
      nasty,
    )
    await fc.assert(
      fc.asyncProperty(change, fc.constantFrom('single', 'double'), async (changes, how) => {
        const params = new URLSearchParams({ ...good, ...changes })
        if (how === 'double') for (const [name, value] of Object.entries(good)) params.append(name, value)
        const { status, location, cookies } = await raw(`/auth/authorize?${params}`)
        expect([303, 400]).toContain(status)
        if (status === 400) {
          expect([location, cookies]).toEqual([undefined, []])
          return
        }
        const url = new URL(location ?? '')
        expect(url.href.startsWith(`${bff.config.OIDC_ISSUER}/protocol/openid-connect/auth?`)).toBe(true)
        expect(url.searchParams.getAll('redirect_uri')).toEqual([`${bff.config.PUBLIC_ORIGIN}/auth/callback`])
      }),
      runs,
    )
  })

  test('refuses any redirect URI but the one, without a redirect', async () => {
    const origin = bff.config.PUBLIC_ORIGIN
    const uri = fc.oneof(
      fc.webUrl(),
      nasty,
      nasty.map((text) => `${origin}${handlerPath}${text || '/'}`),
      nasty.map((text) => `${origin}${text}${handlerPath}`),
      nasty.map((text) => `${text}${origin}${handlerPath}`),
    )
    await fc.assert(
      fc.asyncProperty(
        uri.filter((text) => text !== `${origin}${handlerPath}`),
        async (redirectUri) => {
          const params = new URLSearchParams({
            response_type: 'code',
            client_id: 'spa',
            state: 's',
            code_challenge: 'c'.repeat(43),
            code_challenge_method: 'S256',
            redirect_uri: redirectUri,
          })
          const { status, location, cookies } = await raw(`/auth/authorize?${params}`)
          expect([status, location, cookies]).toEqual([400, undefined, []])
        },
      ),
      runs,
    )
  })
})

test('a host belongs to a domain only if it is that domain or ends with a dot and the domain', () => {
  const label = fc.stringMatching(/^[a-z0-9-]{1,12}$/)
  fc.assert(
    fc.property(fc.domain(), label, nasty, (domain, name, text) => {
      expect(isAuthorizedDomain(domain, [domain])).toBe(true)
      expect(isAuthorizedDomain(`${name}.${domain}`, [domain])).toBe(true)
      expect(isAuthorizedDomain(`${name}${domain}`, [domain])).toBe(false)
      expect(isAuthorizedDomain(`${domain}.${name}`, [domain])).toBe(false)
      if (!`.${text}`.endsWith(`.${domain}`)) expect(isAuthorizedDomain(text, [domain])).toBe(false)
    }),
  )
})

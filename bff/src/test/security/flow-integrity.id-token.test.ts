import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFlowBrowser } from '../flow.ts'
import { type Bff, startBff } from '../start-bff.ts'
import { newKey, startTestIssuer, type TestIssuer } from '../test-issuer.ts'

let issuer: TestIssuer
let bff: Bff
beforeAll(async () => {
  issuer = await startTestIssuer()
  bff = await startBff({ OIDC_ISSUER: issuer.issuer })
})
afterAll(() => Promise.all([bff.stop(), issuer.stop()]))

/** Comes back from the provider, whose token endpoint answers with what `forge` makes of the sound claims. */
async function comeBack(forge: (claims: Record<string, unknown>) => Promise<string>) {
  const flowBrowser = createFlowBrowser(bff)
  const { response } = await flowBrowser.authorize()
  const sent = new URL(response.headers.get('location') ?? '').searchParams
  const claims = issuer.idClaims({ aud: 'bff-web', azp: 'bff-web', nonce: sent.get('nonce') })
  const forms: URLSearchParams[] = []
  issuer.answerGrants(async (form) => {
    forms.push(form)
    return issuer.tokenSet(await forge(claims))
  })
  const callback = new URL('/auth/callback', bff.config.PUBLIC_ORIGIN)
  callback.search = String(new URLSearchParams({ code: 'c', state: sent.get('state') ?? '', iss: issuer.issuer }))
  return { handler: await flowBrowser.arrive(callback), flowBrowser, sent, form: forms[0] }
}

test('a sound ID token signs in, and the provider gets the verifier of the challenge', async () => {
  const { handler, flowBrowser, sent, form } = await comeBack((claims) => issuer.sign(claims))
  expect(handler.searchParams.get('code')).not.toBeNull()
  expect(await flowBrowser.session()).toMatchObject({ authenticated: true })
  const verifier = form?.get('code_verifier') ?? ''
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(sent.get('code_challenge'))
})

test.each<[string, (claims: Record<string, unknown>) => Promise<string>]>([
  ['another nonce', (claims) => issuer.sign({ ...claims, nonce: 'another' })],
  ['no nonce', (claims) => issuer.sign({ ...claims, nonce: undefined })],
  ['another issuer', (claims) => issuer.sign({ ...claims, iss: 'https://evil.example/realms/parley' })],
  ['another audience', (claims) => issuer.sign({ ...claims, aud: 'account' })],
  ['another authorized party', (claims) => issuer.sign({ ...claims, azp: 'other-client' })],
  ['a foreign signature', async (claims) => issuer.sign(claims, {}, (await newKey()).privateKey)],
  ['an end in the past', (claims) => issuer.sign({ ...claims, exp: 1 })],
])('an ID token with %s starts no session', async (_what, forge) => {
  const { handler, flowBrowser } = await comeBack(forge)
  expect(handler.searchParams.get('code')).toBeNull()
  expect(handler.searchParams.get('error')).toMatch(/server_error|temporarily_unavailable/)
  expect(await flowBrowser.session()).toEqual({ authenticated: false })
  const line = bff.log.findLast((text) => text.includes('auth.callback'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'info',
    msg: 'request refused',
    cause: expect.stringMatching(/OAUTH|token_rejected/),
  })
})

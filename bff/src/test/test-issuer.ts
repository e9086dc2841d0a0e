import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'

type Claims = Record<string, unknown>
interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Claims with these values are left out of a token. */
const withoutUndefined = (claims: Claims): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))

export const seconds = (offset = 0): number => Math.floor(Date.now() / 1000) + offset

/** A key pair under a name of its own. */
export async function newKey(kid: string = randomUUID()) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  return { kid, privateKey, jwk, pem: await exportSPKI(publicKey) }
}

/**
 * An identity provider whose every token a test chooses: a key set, a signer, and endpoints below the issuer that answer
 * what they are told. For `OIDC_ISSUER`.
 */
export async function startTestIssuer() {
  let signing = await newKey()
  let published = [signing.jwk]
  let away: boolean | 'failing' = false
  let grant: (form: URLSearchParams) => Promise<Answer> | Answer = () => ({
    status: 400,
    body: { error: 'invalid_grant' },
  })
  const calls: string[] = []

  const server = createServer(async (req, res) => {
    const form = new URLSearchParams(await text(req))
    const call = req.url?.split(/[/?]/).findLast(Boolean) ?? ''
    calls.push(call)
    if (away === 'failing') return void res.writeHead(503, { 'content-type': 'text/html' }).end('<h1>busy</h1>')
    if (away) return void req.socket.destroy()
    const answers: Record<string, () => Promise<Answer> | Answer> = {
      certs: () => ({ status: 200, body: { keys: published } }),
      token: () => grant(form),
      logout: () => ({ status: 204, body: undefined }),
    }
    const { status, body } = (await answers[call]?.()) ?? { status: 404, body: {} }
    res.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/test`

  const sign = (claims: Claims, header: Partial<JWTHeaderParameters> = {}, key: CryptoKey = signing.privateKey) =>
    new SignJWT(withoutUndefined(claims))
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: signing.kid, ...header })
      .sign(key)

  const idClaims = (claims: Claims = {}): Claims => ({
    iss: issuer,
    sub: randomUUID(),
    aud: 'bff-password',
    azp: 'bff-password',
    typ: 'ID',
    iat: seconds(),
    exp: seconds(300),
    jti: randomUUID(),
    sid: randomUUID(),
    email: 'someone@parley.test',
    email_verified: true,
    ...claims,
  })

  return {
    issuer,
    /** Last parts of the requested paths: `certs`, `token`, `logout`. */
    calls,
    key: () => signing,
    sign,
    idClaims,
    idToken: (claims?: Claims, header?: Partial<JWTHeaderParameters>) => sign(idClaims(claims), header),
    logoutToken: (claims: Claims = {}, header: Partial<JWTHeaderParameters> = {}) =>
      sign(
        {
          iss: issuer,
          aud: 'bff-web',
          iat: seconds(),
          exp: seconds(120),
          jti: randomUUID(),
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          ...claims,
        },
        { typ: 'logout+jwt', ...header },
      ),
    /** Signs with a new key from now on; the old one stays published. */
    async rotate() {
      signing = await newKey()
      published = [signing.jwk, ...published]
    },
    answerGrants: (answer: typeof grant) => {
      grant = answer
    },
    /** The token endpoint's success, around an ID token. */
    tokenSet: (idToken: string): Answer => ({
      status: 200,
      body: {
        id_token: idToken,
        access_token: `access-${randomUUID()}`,
        refresh_token: `refresh-${randomUUID()}`,
        token_type: 'bearer',
        expires_in: 300,
      },
    }),
    /** Makes the provider unreachable, or lets it fail as a proxy in front of it does. */
    setAway: (value: boolean | 'failing') => {
      away = value
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type TestIssuer = Awaited<ReturnType<typeof startTestIssuer>>

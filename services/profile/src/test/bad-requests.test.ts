import { errorBodySchema } from '@parley/contracts/core/errors'
import { internalTokenIssuer, internalTokenType } from '@parley/contracts/core/internal-token'
import { freePort } from '@parley/service-kit/testing/free-port'
import { makeSigningKey } from '@parley/service-kit/testing/internal-authority'
import { importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let ann: Person
beforeAll(async () => {
  profile = await startProfile()
  ann = await profile.signIn()
})
afterAll(() => profile.stop())

const now = () => Math.floor(Date.now() / 1000)
const goodClaims = (): JWTPayload => ({
  sub: ann.context.userId,
  wid: ann.context.workspaceId,
  role: 'owner',
  iss: internalTokenIssuer('bff'),
  aud: 'profile',
  iat: now(),
  exp: now() + 60,
  email: 'ann@example.com',
  email_verified: true,
  provider: 'password',
})
const goodHeader = { alg: 'Ed25519', typ: internalTokenType, kid: 'test-key' }

async function sign(
  claims: Record<string, unknown>,
  header: Partial<typeof goodHeader> = {},
  key = profile.authority.key,
) {
  const merged = { ...goodHeader, ...header }
  return new SignJWT({ ...goodClaims(), ...claims }).setProtectedHeader(merged).sign(await importJWK(key, 'Ed25519'))
}

const tokens: [string, () => Promise<string> | string][] = [
  ['nothing', () => ''],
  ['no JWT', () => 'abc.def.ghi'],
  ['an expired token', () => sign({ iat: now() - 100, exp: now() - 50 })],
  ['a token of the future', () => sign({ iat: now() + 600, exp: now() + 660 })],
  ['a token that lives too long', () => sign({ iat: now() - 500, exp: now() + 500 })],
  ["another service's token", () => sign({ aud: 'identity' })],
  ['no audience', () => sign({ aud: undefined })],
  ['another issuer', () => sign({ iss: 'someone' })],
  ['another kind of JWT', () => sign({}, { typ: 'JWT' })],
  ['an unknown key', () => sign({}, { kid: 'other' }, makeSigningKey('other'))],
  ['a stranger under our key id', () => sign({}, {}, makeSigningKey('test-key'))],
  ['no signature', () => new UnsecuredJWT(goodClaims()).encode()],
  [
    'an HMAC under the public key',
    () =>
      new SignJWT(goodClaims())
        .setProtectedHeader({ ...goodHeader, alg: 'HS256' })
        .sign(Buffer.from(profile.authority.key.x, 'base64url')),
  ],
  ['a changed claim', async () => withOtherPayload(await sign({}))],
  ['no workspace', () => sign({ wid: undefined })],
  ['a role that does not exist', () => sign({ role: 'god' })],
  ['a subject that is no user id', () => sign({ sub: 'ann' })],
  ['a process where a user is needed', () => sign({ sub: 'svc:bff' })],
  ['a header without end', () => 'x'.repeat(9000)],
]

function withOtherPayload(token: string): string {
  const [header, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify({ ...goodClaims(), wid: 'f'.repeat(24) })).toString('base64url')
  return [header, payload, signature].join('.')
}

test('the claims that the cases below change are good ones', async () => {
  expect((await profile.call('GET', '/api/auth/user', { token: await sign({}) })).status).toBe(200)
})

test.each(tokens)('%s is 401', async (_name, make) => {
  for (const [method, path] of [
    ['GET', '/api/auth/user'],
    ['POST', '/api/auth/sync'],
    ['PATCH', '/api/auth/profile'],
  ] as const) {
    const answer = await profile.call(method, path, { token: await make() })
    expect([answer.status, envelope(answer).code]).toEqual([401, 'unauthenticated'])
  }
})

test('while the key set cannot be read a good token is 503, not 401', async () => {
  const cut = await startProfile({ INTERNAL_ISSUERS: `bff=http://127.0.0.1:${await freePort()}/jwks.json` })
  const answer = await cut.call('GET', '/api/auth/user', { token: await sign({}) })
  expect([answer.status, envelope(answer).code]).toEqual([503, 'service_unavailable'])
  await cut.stop()
})

const asJson = { 'content-type': 'application/json' }
test.each([
  ['broken JSON', { headers: asJson, text: '{"firstName": "A' }, 400, 'malformed_json'],
  ['a poisoned prototype', { headers: asJson, text: '{"__proto__":{"x":1}}' }, 400, 'malformed_json'],
  ['an array', { json: [] }, 400, 'validation_failed'],
  ['a number', { json: 7 }, 400, 'validation_failed'],
  ['null', { headers: asJson, text: 'null' }, 400, 'validation_failed'],
  ['no body', { headers: asJson, text: '' }, 400, 'validation_failed'],
  [
    'a form',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, text: 'a=b' },
    415,
    'unsupported_media_type',
  ],
  ['plain text', { headers: { 'content-type': 'text/plain' }, text: '{}' }, 415, 'unsupported_media_type'],
  ['a type that is no type', { headers: { 'content-type': 'nonsense' }, text: '{}' }, 415, 'unsupported_media_type'],
  ['half a megabyte and more', { json: { address: 'x'.repeat(600_000) } }, 413, 'body_too_large'],
])('PATCH with %s', async (_name, call, status, code) => {
  const answer = await profile.call('PATCH', '/api/auth/profile', { token: await ann.token(), ...call })
  expect([answer.status, envelope(answer).code]).toEqual([status, code])
})

test.each([
  ['GET', '/', 404],
  ['GET', '/api/auth/users', 404],
  ['GET', '/api/auth/user/', 404],
  ['GET', '/API/auth/user', 404],
  ['GET', '/internal/session-context/x', 404],
  ['GET', '/api/auth/%zz', 400],
  ['GET', '/api/auth/user%00', 404],
  ['DELETE', '/api/auth/user', 405],
  ['PUT', '/api/auth/profile', 405],
  ['GET', '/api/auth/sync', 405],
  ['GET', '/internal/session-context', 405],
] as const)('%s %s is %i', async (method, path, status) => {
  const answer = await profile.call(method, path, { token: await ann.token() })
  expect(answer.status).toBe(status)
  envelope(answer)
})

test('nothing that can be sent is answered with a server error or a stack', async () => {
  const odd = [
    '',
    'null',
    '{}',
    '[]',
    '"x"',
    '1e999',
    '{"firstName":{"$gt":""}}',
    '{"timezone":{"$ne":null}}',
    '\u0000',
    '{"a":'.repeat(5000),
  ]
  const answers: Answer[] = []
  for (const text of odd) {
    for (const [method, path] of [
      ['PATCH', '/api/auth/profile'],
      ['POST', '/api/auth/sync'],
      ['POST', '/internal/session-context'],
    ] as const) {
      answers.push(await profile.call(method, path, { token: await ann.token(), headers: asJson, text }))
    }
  }
  for (const { status, text } of answers) {
    expect(status).toBeLessThan(500)
    expect(text).not.toMatch(/\n\s+at |node_modules|\.ts:/)
  }
})

test('no log line holds a token, an address, an e-mail or a typed value', async () => {
  await ann.patch({ firstName: 'Xanthippe', mobile: '+919876543210' })
  await ann.patch({ mobile: '+91 98765' })
  await expect.poll(profile.output).toContain('"operation":"profile.update"')
  expect(profile.output()).not.toMatch(/Xanthippe|98765|@example\.com|eyJ|\/api\/auth/)
})

/** Every refusal is the one envelope: message at the top, an id, no more than the catalogue's fields. */
function envelope(answer: Answer) {
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const body = errorBodySchema.strict().parse(JSON.parse(answer.text))
  expect(body.message).not.toBe('')
  expect(answer.headers.get('x-request-id')).toBe(body.requestId)
  return body
}

import { expect, test } from 'vitest'
import { isPrivateHost, readSettings } from './settings.ts'

const good = {
  TARGET: 'http://localhost:3000/',
  OIDC_ISSUER: 'http://127.0.0.1:8080/realms/parley',
  ADMIN_CLIENT_SECRET: 'secret',
}
const read = (env: Record<string, string>) => readSettings(env, () => 'from the file\n')

test('a run needs target, issuer and the admin secret; the rest has defaults', () => {
  expect(read(good)).toMatchObject({
    target: 'http://localhost:3000',
    issuer: good.OIDC_ISSUER,
    adminIssuer: good.OIDC_ISSUER,
    adminClientId: 'svc-identity',
    shape: 'smoke',
    rate: 1,
  })
})

test('the secret may be in a file', () => {
  const settings = read({ ...good, ADMIN_CLIENT_SECRET: '', ADMIN_CLIENT_SECRET_FILE: '/run/secret' })
  expect(settings.adminClientSecret).toBe('from the file')
})

test.each([
  [{ TARGET: '' }, 'TARGET is not set'],
  [{ OIDC_ISSUER: '' }, 'OIDC_ISSUER is not set'],
  [{ ADMIN_CLIENT_SECRET: '' }, 'Neither ADMIN_CLIENT_SECRET nor'],
  [{ TARGET: 'localhost:3000' }, 'must be an origin'],
  [{ TARGET: 'http://localhost:3000/app' }, 'must be an origin'],
  [{ OIDC_ISSUER: 'http://localhost:8080' }, 'must be the URL of a realm'],
  [{ ADMIN_ISSUER: 'http://localhost:8080' }, 'ADMIN_ISSUER must be the URL of a realm'],
  [{ ADMIN_ISSUER: 'https://id.example.com/realms/parley' }, 'ALLOW_TARGET=id.example.com'],
  [{ SHAPE: 'hurricane' }, 'must be one of smoke, average'],
  [{ RATE: '0' }, 'RATE is 0'],
  [{ THRESHOLD_FACTOR: 'many' }, 'THRESHOLD_FACTOR is many'],
  [{ RUN_ID: 'a b' }, 'RUN_ID must be'],
  [{ SIMULATOR: 'phones' }, 'SIMULATOR is phones; it must be an origin'],
  [{ SIMULATOR: 'https://phones.example.com' }, 'phones.example.com may be in production'],
  [{ TARGET: 'https://app.example.com' }, 'app.example.com may be in production'],
  [{ OIDC_ISSUER: 'https://id.example.com/realms/parley' }, 'ALLOW_TARGET=id.example.com'],
  [{ TARGET: 'https://app.example.com', ALLOW_TARGET: 'example.com' }, 'may be in production'],
])('%o is refused by a sentence', (wrong, sentence) => {
  expect(() => read({ ...good, ...wrong })).toThrow(sentence)
})

test('a public target is loaded once its host is named', () => {
  const consent = { TARGET: 'https://app.example.com', ALLOW_TARGET: 'id.example.com, APP.example.com' }
  expect(read({ ...good, ...consent }).target).toBe('https://app.example.com')
})

test.each([
  ['localhost', true],
  ['bff', true],
  ['127.0.0.1', true],
  ['172.20.0.3', true],
  ['172.40.0.3', false],
  ['[::1]', true],
  ['parley.test', true],
  ['test.example.com', false],
  ['8.8.8.8', false],
  ['localhost.example.com', false],
])('%s is private: %s', (host, expected) => expect(isPrivateHost(host)).toBe(expected))

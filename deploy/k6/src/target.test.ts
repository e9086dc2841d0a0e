import { expect, test } from 'vitest'
import { isPrivateHost, readTarget } from './target.ts'

const good = {
  TARGET: 'http://localhost:3000/',
  OIDC_ISSUER: 'http://127.0.0.1:8080/realms/parley',
  ADMIN_CLIENT_SECRET: 'secret',
}
const read = (env: Record<string, string>) => readTarget({ ...good, ...env }, () => 'from the file\n')

test('a run needs app, issuer and the admin secret, which may be in a file; the rest has defaults', () => {
  const target = { app: 'http://localhost:3000', adminIssuer: good.OIDC_ISSUER, adminClientId: 'svc-identity' }
  expect(read({})).toMatchObject({ ...target, issuer: good.OIDC_ISSUER, adminClientSecret: 'secret' })
  const inFile = { ADMIN_CLIENT_SECRET: '', ADMIN_CLIENT_SECRET_FILE: '/run/secret' }
  expect(read(inFile).adminClientSecret).toBe('from the file')
})

test.each([
  [{ TARGET: '' }, 'TARGET is not set'],
  [{ OIDC_ISSUER: '' }, 'OIDC_ISSUER is not set'],
  [{ ADMIN_CLIENT_SECRET: '' }, 'Neither ADMIN_CLIENT_SECRET nor'],
  [{ TARGET: 'localhost:3000' }, 'TARGET is localhost:3000'],
  [{ TARGET: 'http://localhost:3000/app' }, 'must be like http://localhost:3000'],
  [{ OIDC_ISSUER: 'http://localhost:8080' }, 'must be like https://id.example.com/realms/parley'],
  [{ SIMULATOR: 'phones' }, 'SIMULATOR is phones'],
  [{ SIMULATOR: 'https://phones.example.com' }, 'phones.example.com may be in production'],
  [{ TARGET: 'https://app.example.com' }, 'ALLOW_TARGET=app.example.com'],
  [{ ADMIN_ISSUER: 'https://id.example.com/realms/parley' }, 'ALLOW_TARGET=id.example.com'],
  [{ TARGET: 'https://app.example.com', ALLOW_TARGET: 'example.com' }, 'may be in production'],
])('%o is refused by a sentence', (wrong, sentence) => {
  expect(() => read(wrong)).toThrow(sentence)
})

test('a public target is loaded once its host is named', () => {
  const consent = { TARGET: 'https://app.example.com', ALLOW_TARGET: 'id.example.com, APP.example.com' }
  expect(read(consent).app).toBe('https://app.example.com')
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
  ['10.example.com', false],
  ['localhost.example.com', false],
])('%s is private: %s', (host, expected) => expect(isPrivateHost(host)).toBe(expected))

import { expect, test, vi } from 'vitest'
import { createAccountsService } from './accounts.service.ts'
import type { KeycloakAdmin } from './keycloak-admin.ts'
import type { ProviderAnswer } from './provider-request.ts'

type Call = KeycloakAdmin['call']

const answer = (status: number, body?: unknown, location?: string): ProviderAnswer => ({ status, body, location })
const ann = { email: 'ann@example.com', password: 'secret1' }

function accountsWith(...answers: ProviderAnswer[]) {
  const call = vi.fn<Call>(async () => answers.shift() ?? answer(500))
  const accounts = createAccountsService({
    provider: { call },
    mailLinkClientId: 'app-links',
    publicOrigin: 'https://app.example.com',
  })
  return { accounts, call }
}

test('an account starts enabled and unproven, its password permanent; its id is the last part of Location', async () => {
  const { accounts, call } = accountsWith(answer(201, undefined, 'https://id.example.com/admin/realms/p/users/abc-1'))
  expect(await accounts.create(ann)).toEqual({ sub: 'abc-1' })
  expect(call.mock.calls[0]?.[0]).toMatchObject({
    repeatable: false,
    json: {
      username: ann.email,
      email: ann.email,
      emailVerified: false,
      enabled: true,
      credentials: [{ type: 'password', value: ann.password, temporary: false }],
    },
  })
})

test.each([
  ['disable', 'PUT', { enabled: false }],
  ['delete', 'DELETE', undefined],
] as const)('an account is signed out before it is ended (%s), and only then', async (how, method, json) => {
  const { accounts, call } = accountsWith(answer(204), answer(204))
  await accounts.end('abc-1', how)
  expect(call.mock.calls).toMatchObject([
    [{ method: 'POST', path: '/users/abc-1/logout' }],
    [{ method, path: '/users/abc-1', ...(json && { json }) }],
  ])
  const unreachable = accountsWith(answer(503))
  await expect(unreachable.accounts.end('abc-1', how)).rejects.toMatchObject({ code: 'identity_provider_unavailable' })
  expect(unreachable.call).toHaveBeenCalledOnce()
})

test.each([
  ['a duplicate', answer(409, { errorMessage: 'User exists with same email' }), 'account_exists'],
  [
    'a weak password',
    answer(400, { error: 'invalidPasswordMinLengthMessage', error_description: 'Invalid password: minimum length 8.' }),
    'password_too_short',
  ],
  [
    'a password that many have',
    answer(400, {
      error: 'invalidPasswordBlacklistedMessage',
      error_description: 'Invalid password: password is not allowed.',
    }),
    'password_too_common',
  ],
  [
    'a bad address',
    answer(400, { field: 'email', errorMessage: 'error-invalid-email', params: ['email', 'x'] }),
    'email_invalid',
  ],
  [
    'a bad address among other faults',
    answer(400, {
      errors: [
        { field: 'picture', errorMessage: 'error-invalid-uri' },
        { field: 'email', errorMessage: 'error-invalid-email' },
      ],
    }),
    'email_invalid',
  ],
  ['a fault of the provider', answer(500, { error: 'unknown_error' }), 'identity_provider_unavailable'],
  ['missing rights', answer(403, { error: 'HTTP 403 Forbidden' }), 'identity_provider_unavailable'],
  ['another shape of error', answer(400, ['no']), 'identity_provider_unavailable'],
  ['a creation without a Location', answer(201), 'identity_provider_unavailable'],
])('create: %s', async (_name, refusal, code) => {
  await expect(accountsWith(refusal).accounts.create(ann)).rejects.toMatchObject({ code })
})

test('no error holds the address or the password', async () => {
  const quoting = answer(400, { errorMessage: `ann@example.com is odd`, field: 'other' })
  const error = await accountsWith(quoting)
    .accounts.create(ann)
    .catch((caught: unknown) => caught)
  const logged = [error, error instanceof Error ? error.cause : ''].map(String).join()
  expect(logged).toContain('[address] is odd')
  expect(logged).not.toMatch(/ann@example|secret1/)
})

test('the verification link leads back to the page that waits for it and lives an hour', async () => {
  const { accounts, call } = accountsWith(answer(204))
  await accounts.sendVerification('a b')
  expect(call.mock.calls[0]?.[0]).toMatchObject({
    method: 'PUT',
    path: '/users/a%20b/send-verify-email',
    query: { client_id: 'app-links', redirect_uri: 'https://app.example.com/verify-email', lifespan: '3600' },
    repeatable: false,
  })
})

test('the reset link asks for a new password, leads to the login and lives a quarter of an hour', async () => {
  const { accounts, call } = accountsWith(answer(200, [{ id: 'abc', email: 'Ann@Example.com' }]), answer(204))
  await accounts.sendPasswordReset(ann.email)
  expect(call.mock.calls.map(([request]) => request)).toMatchObject([
    { method: 'GET', path: '/users', query: { email: ann.email, exact: 'true' } },
    {
      method: 'PUT',
      path: '/users/abc/execute-actions-email',
      json: ['UPDATE_PASSWORD'],
      query: { client_id: 'app-links', redirect_uri: 'https://app.example.com/login', lifespan: '900' },
    },
  ])
})

test.each([
  ['an unknown address', [answer(200, [])]],
  ['an address that only resembles one', [answer(200, [{ id: 'abc', email: 'joann@example.com' }])]],
  [
    'a disabled account',
    [answer(200, [{ id: 'abc', email: ann.email }]), answer(400, { errorMessage: 'User is disabled' })],
  ],
  ['an account deleted meanwhile', [answer(200, [{ id: 'abc', email: ann.email }]), answer(404)]],
])('reset: %s is answered like any other', async (_name, answers) => {
  await expect(accountsWith(...answers).accounts.sendPasswordReset(ann.email)).resolves.toBeUndefined()
})

test.each([
  ['an account that does not exist', answer(404, { error: 'User not found' }), 'account_not_found'],
  ['a mail server that is down', answer(500, { errorMessage: 'Failed to send verify email' }), 'mail_unavailable'],
  [
    'a link target that is not allowed',
    answer(400, { errorMessage: 'Invalid redirect uri.' }),
    'identity_provider_unavailable',
  ],
])('send verification: %s', async (_name, refusal, code) => {
  await expect(accountsWith(refusal).accounts.sendVerification('abc')).rejects.toMatchObject({ code })
})

test.each([
  ['an account that does not exist', answer(404), 'account_not_found'],
  ['a fault of the provider, where no mail is meant', answer(500), 'identity_provider_unavailable'],
])('end sessions: %s', async (_name, refusal, code) => {
  await expect(accountsWith(refusal).accounts.endSessions('abc')).rejects.toMatchObject({ code })
})

test.each([
  [
    'invalidPasswordMinLengthMessage',
    'Invalid password: minimum length 10.',
    'Password must be at least 10 characters',
  ],
  ['invalidPasswordMaxLengthMessage', 'Invalid password: maximum length 64.', 'Password must be at most 64 characters'],
  [
    'invalidPasswordMinDigitsMessage',
    'must contain at least 1 numerical digits.',
    'Password must contain at least 1 digit',
  ],
  ['invalidPasswordMinSpecialCharsMessage', 'at least 2 special characters.', 'at least 2 special characters'],
  ['invalidPasswordNotEmailMessage', 'must not be equal to the email.', 'Password must not be the email address'],
  ['invalidPasswordHistoryMessage', 'must not be equal to any of last 3 passwords.', 'one of the last 3'],
  ['invalidPasswordBlacklistedMessage', 'password is not allowed.', 'one of the most common ones'],
  ['invalidPasswordRegexPatternMessage', 'fails to match regex pattern(s).', 'not allowed here'],
  ['invalidPasswordOfALaterVersionMessage', 'whatever it is', 'not allowed here'],
])('the refusal %s is told in its own sentence', async (error, error_description, sentence) => {
  const { accounts } = accountsWith(answer(400, { error, error_description }))
  await expect(accounts.create(ann)).rejects.toThrow(sentence)
})

test.each([
  ['before the mail', Date.parse('2026-01-01T00:00:00Z') - 60_000, false],
  ['after the mail', Date.parse('2026-01-01T00:00:00Z') + 60_000, true],
])(
  'failures of an account whose password was set %s are forgotten accordingly',
  async (_when, createdDate, cleared) => {
    const { accounts, call } = accountsWith(
      answer(200, [{ id: 'abc-1', email: ann.email }]),
      answer(200, [{ id: 'c-1', type: 'password', createdDate }]),
      answer(204),
    )
    expect(await accounts.clearFailures(ann.email, new Date('2026-01-01T00:00:00Z'))).toEqual({ cleared })
    const paths = call.mock.calls.map(([{ method, path }]) => `${method} ${path}`)
    expect(paths.includes('DELETE /attack-detection/brute-force/users/abc-1')).toBe(cleared)
  },
)

import { expect, test, vi } from 'vitest'
import type { SessionWithContext } from '../session/session-record.ts'
import { createUserTokens } from './user-token.ts'

const context = { userId: 'a'.repeat(24), workspaceId: 'b'.repeat(24), role: 'agent', version: 7 } as const
const session: SessionWithContext = {
  secret: 'secret',
  key: 'key',
  version: 1,
  hot: {
    client: 'web',
    claims: {
      iss: 'https://id.example',
      sub: 'ann',
      aud: 'bff-web',
      exp: 2000,
      iat: 1000,
      email: 'ann@example.com',
      email_verified: true,
      name: 'Ann Stone',
      picture: 'https://photos.example/ann',
    },
    idTokenHash: 'hash',
    tokenExpiresAt: 2000,
    createdAt: 0,
    endsAt: 9e15,
    context,
  },
}
const visitor = { ip: '203.0.113.7', device: 'Firefox on Windows' }
const membership = {
  sub: context.userId,
  wid: context.workspaceId,
  role: 'agent',
  ver: 7,
  ip: visitor.ip,
  dev: visitor.device,
}

test('a service is told user, workspace, role, membership version and where the call comes from, and nothing of the person', async () => {
  const sign = vi.fn(async () => 'token')
  await createUserTokens({ sign })(session, 'messaging', visitor)
  expect(sign).toHaveBeenCalledExactlyOnceWith({ aud: 'messaging', ...membership })
})

test('the profile service is told the claims of the identity provider too, and when they were issued', async () => {
  const sign = vi.fn(async () => 'token')
  await createUserTokens({ sign })(session, 'profile', visitor)
  expect(sign).toHaveBeenCalledExactlyOnceWith({
    aud: 'profile',
    ...membership,
    email: 'ann@example.com',
    email_verified: true,
    name: 'Ann Stone',
    picture: 'https://photos.example/ann',
    provider: 'password',
    claims_iat: 1000,
  })
})

test('a token is signed once for a session and service, and once more after a failure', async () => {
  const sign = vi.fn(async () => 'token')
  sign.mockRejectedValueOnce(new Error('no key'))
  const userToken = createUserTokens({ sign })
  await expect(userToken(session, 'messaging', visitor)).rejects.toThrow('no key')
  expect(await userToken(session, 'messaging', visitor)).toBe('token')
  expect(await userToken(session, 'messaging', visitor)).toBe('token')
  expect(sign).toHaveBeenCalledTimes(2)
})

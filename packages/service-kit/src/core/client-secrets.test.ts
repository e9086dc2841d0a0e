import { expect, test } from 'vitest'
import { ClientSecretRefused, clientSecretsSchema, createClientSecrets } from './client-secrets.ts'

/** A provider that takes one secret, and what it was asked with. */
function provider(accepted: string) {
  const state = { accepted, seen: [] as string[] }
  const attempt = async (secret: string) => {
    state.seen.push(secret)
    if (secret !== state.accepted) throw new ClientSecretRefused(undefined)
    return 'token'
  }
  return { state, attempt }
}

test('the secret that was good last is tried first, before and after the change at the provider', async () => {
  const { state, attempt } = provider('old-secret')
  const withSecret = createClientSecrets(['old-secret', 'new-secret'])
  await withSecret(attempt)
  state.accepted = 'new-secret'
  await withSecret(attempt)
  await withSecret(attempt)
  expect(state.seen).toEqual(['old-secret', 'old-secret', 'new-secret', 'new-secret'])
})

test('calls at the moment of the change all come through', async () => {
  const { attempt } = provider('new-secret')
  const withSecret = createClientSecrets(['old-secret', 'new-secret'])
  const answers = await Promise.all(Array.from({ length: 10 }, () => withSecret(attempt)))
  expect(answers).toEqual(Array(10).fill('token'))
})

test('an only secret that is refused is not tried again, nor is anything else than a refusal', async () => {
  const { state, attempt } = provider('other')
  await expect(createClientSecrets(['only-one'])(attempt)).rejects.toThrow(ClientSecretRefused)
  expect(state.seen).toEqual(['only-one'])
  const failing = () => Promise.reject(new Error('invalid_grant'))
  await expect(createClientSecrets(['one', 'two'])(failing)).rejects.toThrow('invalid_grant')
})

test('both refused is a refusal', async () => {
  const { state, attempt } = provider('third')
  await expect(createClientSecrets(['one', 'two'])(attempt)).rejects.toThrow(ClientSecretRefused)
  expect(state.seen).toEqual(['one', 'two'])
})

test.each([
  ['one-secret', ['one-secret']],
  ['old-secret new-secret', ['old-secret', 'new-secret']],
  ['old-secret\nnew-secret\n', ['old-secret', 'new-secret']],
])('%j is read', (text, secrets) => {
  expect(clientSecretsSchema.parse(text)).toEqual(secrets)
})

test.each(['short', 'long-enough short', 'one-secret two-secret three-secret', ' '])('%j is refused', (text) => {
  expect(clientSecretsSchema.safeParse(text).success).toBe(false)
})

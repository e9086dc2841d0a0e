import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInternalTokenSigner } from '@parley/service-kit/core/internal-token'
import { signingConfigShape } from '@parley/service-kit/core/internal-token-settings'
import { expect, test } from 'vitest'
import { loadSecrets } from './secrets.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

test('secrets are made once, at random, readable by their owner only', async () => {
  const file = join(temporaryFolder(), 'secrets.json')
  const secrets = await loadSecrets(file)
  expect(await loadSecrets(file)).toEqual(secrets)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await loadSecrets(join(temporaryFolder(), 'secrets.json'))).not.toEqual(secrets)
})

test('a file from before a secret was needed is completed, what it holds is kept', async () => {
  const file = join(temporaryFolder(), 'secrets.json')
  const { googleClientSecret: _, tokenKeys: __, ...older } = await loadSecrets(file)
  writeFileSync(file, JSON.stringify({ ...older, tokenKeys: {} }))
  const completed = await loadSecrets(file)
  expect(completed).toMatchObject(older)
  expect(completed.googleClientSecret).toHaveLength(43)
  expect(Object.keys(completed.tokenKeys)).toContain('bff')
  expect(await loadSecrets(file)).toEqual(completed)
})

test('the session key has 32 bytes and the token keys can sign', async () => {
  const secrets = await loadSecrets(join(temporaryFolder(), 'secrets.json'))
  expect(Buffer.from(secrets.sessionKeys.replace('k1:', ''), 'base64')).toHaveLength(32)
  const keys = signingConfigShape.INTERNAL_TOKEN_KEYS.parse(secrets.tokenKeys['bff'])
  const signer = await createInternalTokenSigner('bff', keys)
  expect(await signer.sign({ sub: 'svc:bff', aud: 'profile' })).toMatch(/^eyJ/)
})

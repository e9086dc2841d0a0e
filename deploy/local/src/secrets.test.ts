import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInternalTokenSigner, signingKeySchema } from '@parley/service-kit/core/internal-token'
import { expect, test } from 'vitest'
import { z } from 'zod'
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
  const { googleClientSecret: _, ...older } = await loadSecrets(file)
  writeFileSync(file, JSON.stringify(older))
  const completed = await loadSecrets(file)
  expect(completed).toMatchObject(older)
  expect(completed.googleClientSecret).toHaveLength(43)
  expect(await loadSecrets(file)).toEqual(completed)
})

test('the session key has 32 bytes and the token keys can sign', async () => {
  const secrets = await loadSecrets(join(temporaryFolder(), 'secrets.json'))
  expect(Buffer.from(secrets.sessionKeys.replace('k1:', ''), 'base64')).toHaveLength(32)
  const keys = z.array(signingKeySchema).parse(JSON.parse(secrets.internalTokenKeys))
  const signer = await createInternalTokenSigner(keys)
  expect(await signer.sign({ sub: 'svc:bff', aud: 'profile' })).toMatch(/^eyJ/)
})

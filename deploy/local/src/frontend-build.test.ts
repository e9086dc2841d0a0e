import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildSettings, digestOf, frontendInputs } from './frontend-build.ts'
import { repoRoot } from './paths.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

function project(): string {
  const root = temporaryFolder()
  mkdirSync(join(root, 'frontend/src'), { recursive: true })
  mkdirSync(join(root, 'frontend/dist'))
  writeFileSync(join(root, 'frontend/src/main.ts'), 'one')
  writeFileSync(join(root, 'package-lock.json'), '{}')
  return root
}
const inputs = ['frontend', 'package-lock.json', 'absent']

test('the digest follows names and contents of the inputs, not the build’s own output', async () => {
  const root = project()
  const before = await digestOf(root, inputs)
  writeFileSync(join(root, 'frontend/dist/index.html'), 'built')
  expect(await digestOf(root, inputs)).toBe(before)
  writeFileSync(join(root, 'frontend/src/main.ts'), 'two')
  const changed = await digestOf(root, inputs)
  expect(changed).not.toBe(before)
  writeFileSync(join(root, 'package-lock.json'), '{ }')
  expect(await digestOf(root, inputs)).not.toBe(changed)
})

test('the digest follows the settings that are written into the page, and no other variable', async () => {
  const root = project()
  const digest = (environment: NodeJS.ProcessEnv) => digestOf(root, inputs, buildSettings(environment))
  const before = await digest({ PATH: '/bin' })
  expect(await digest({ PATH: '/usr/bin' })).toBe(before)
  const changed = await digest({ VITE_CONTACT_DOMAIN: 'chai.example' })
  expect(changed).not.toBe(before)
  expect(await digest({ VITE_CONTACT_DOMAIN: 'tea.example' })).not.toBe(changed)
  const two = { VITE_CONTACT_DOMAIN: 'chai.example', VITE_API_KEY: 'parley' }
  expect(await digest(two)).toBe(await digest(Object.fromEntries(Object.entries(two).reverse())))
})

test('a build follows every package of ours that the page imports', () => {
  const sources = globSync('frontend/src/**/*.{ts,tsx}', { cwd: repoRoot })
  const imported = sources
    .filter((file) => !file.includes('.test.') && !file.includes('/testing/'))
    .flatMap((file) => [...readFileSync(join(repoRoot, file), 'utf8').matchAll(/from '@parley\/([a-z-]+)/g)])
    .map(([, name]) => `packages/${name}`)
  expect(new Set(imported).size).toBeGreaterThan(3)
  expect(frontendInputs()).toEqual(expect.arrayContaining([...new Set(imported)]))
  for (const input of frontendInputs()) expect(existsSync(join(repoRoot, input)), input).toBe(true)
})

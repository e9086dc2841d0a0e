import { expect, test } from 'vitest'
import { composeImage, wantsContainers } from './program.ts'

const start = (PARLEY_BACKING?: string) =>
  wantsContainers({ environment: { ...(PARLEY_BACKING && { PARLEY_BACKING }) }, forTests: false })

test('only docker asks for containers, and another word is refused', () => {
  expect([start(), start('local'), start(' docker ')]).toEqual([false, false, true])
  expect(() => start('podman')).toThrow('PARLEY_BACKING is set to podman. Set it to docker')
})

test('a start and the tests each have their own variable', () => {
  const environment = { PARLEY_BACKING: 'docker', TEST_BACKING: 'local' }
  expect(wantsContainers({ environment, forTests: false })).toBe(true)
  expect(wantsContainers({ environment, forTests: true })).toBe(false)
})
test.each(['MONGO_IMAGE', 'VALKEY_IMAGE', 'KEYCLOAK_IMAGE'] as const)(
  '%s has one pinned version, in docker-compose.yml',
  (variable) => {
    expect(composeImage(variable, {})).toMatch(/^[a-z/-]+:\d+\.\d+\.\d+/)
    expect(composeImage(variable, { [variable]: ' mirror/image:1 ' })).toBe('mirror/image:1')
  },
)

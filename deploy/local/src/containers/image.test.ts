import { expect, test } from 'vitest'
import { composeImage } from './image.ts'

test.each(['MONGO_IMAGE', 'VALKEY_IMAGE', 'KEYCLOAK_IMAGE'] as const)(
  '%s has one pinned version, in docker-compose.yml',
  (variable) => {
    expect(composeImage(variable, {})).toMatch(/^[a-z/-]+:\d+\.\d+\.\d+/)
    expect(composeImage(variable, { [variable]: ' mirror/image:1 ' })).toBe('mirror/image:1')
  },
)

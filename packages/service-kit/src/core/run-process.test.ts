import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { runCommand } from './run-process.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['warn', ['info']],
  ['silent', ['info']],
  ['debug', ['info', 'debug']],
])('a command in a pod with LOG_LEVEL=%s answers its operator', async (level, expected) => {
  vi.stubEnv('LOG_LEVEL', level)
  const written: string[] = []
  await runCommand({
    name: 'test',
    schema: z.object({ LOG_LEVEL: z.string() }),
    work: async (_config, logger) => {
      written.push(...['info', 'debug'].filter((name) => logger.isLevelEnabled(name)))
    },
  })
  expect(written).toEqual(expected)
})

import { runToEnd } from '@parley/service-kit/testing/start-process'
import { expect, test } from 'vitest'
import { serverFile } from './start-profile.ts'

test('without its settings the service does not start and names each that is missing', async () => {
  const { exitCode, output } = await runToEnd(serverFile, {})
  expect(exitCode).toBe(1)
  for (const name of ['PORT', 'MONGODB_URL', 'REDIS_URL', 'INTERNAL_ISSUERS'])
    expect(output).toContain(`${name} is missing`)
})

test('wrong settings are named together, and no value is shown', async () => {
  const { exitCode, output } = await runToEnd(serverFile, {
    PORT: '0',
    MONGODB_URL: 'mongodb://admin:hunter2@127.0.0.1:1',
    REDIS_URL: 'http://:hunter2@127.0.0.1',
    INTERNAL_ISSUERS: 'jwks',
  })
  expect(exitCode).toBe(1)
  for (const name of ['MONGODB_URL', 'REDIS_URL', 'INTERNAL_ISSUERS']) expect(output).toContain(`${name}: `)
  expect(output).not.toContain('hunter2')
})

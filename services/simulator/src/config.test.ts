import { parseConfig } from '@parley/service-kit/core/config'
import { expect, test } from 'vitest'
import { configSchema } from './config.ts'

const environment = { NODE_ENV: 'test', PORT: '0' }

test.each(['https://graph.facebook.com', 'https://lookaside.fbsbx.com', 'https://facebook.com'])(
  'does not start beside a product that is sent to %s',
  (SIMULATOR_URL) => {
    expect(() => parseConfig(configSchema, { ...environment, SIMULATOR_URL })).toThrow(/SIMULATOR_URL.*host of Meta/)
  },
)

test.each([undefined, 'http://127.0.0.1:3004', 'https://graph.facebook.com.example.com'])(
  'starts beside a product that is sent to %s',
  (SIMULATOR_URL) => {
    expect(parseConfig(configSchema, { ...environment, SIMULATOR_URL }).SIMULATOR_URL).toBe(SIMULATOR_URL)
  },
)

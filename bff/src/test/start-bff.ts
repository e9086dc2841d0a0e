import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '@parley/service-kit/core/config'
import { createLogger } from '@parley/service-kit/core/logger'
import { inject } from 'vitest'
import { buildApp } from '../app.ts'
import { configSchema } from '../config.ts'
import { createDependencies } from '../dependencies.ts'
import { listen, stopListening } from '../listen.ts'
import { createBrowser } from './browser.ts'

/** A BFF on a free port, on the stores and services of the test stack. Log lines are kept for tests to read. */
export async function startBff(overrides: Record<string, string> = {}) {
  const site = buildSite()
  const config = parseConfig(configSchema, {
    ...inject('stack').env.bff,
    PORT: '0',
    MANAGEMENT_PORT: '0',
    STATIC_DIR: site,
    LOG_LEVEL: 'info',
    ...overrides,
  })
  const log: string[] = []
  const logger = createLogger({
    name: 'bff',
    level: config.LOG_LEVEL,
    destination: { write: (line) => void log.push(line) },
  })
  const { dependencies, disconnect } = await createDependencies(config, logger)
  const { redis } = dependencies
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve).once('error', resolve))
  const server = await listen(buildApp(config, dependencies), '127.0.0.1', config.PORT)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    config,
    log,
    dependencies,
    browser: () => createBrowser(url, config.PUBLIC_ORIGIN),
    async stop() {
      await stopListening(server, 500)
      await disconnect()
      rmSync(site, { recursive: true })
    },
  }
}
export type Bff = Awaited<ReturnType<typeof startBff>>

/** A built page in a folder of its own, for a BFF that is started as a process. */
export function buildSite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-site-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Parley</title>')
  writeFileSync(join(folder, 'assets', 'app-1a2b3c.js'), 'export {}')
  return folder
}

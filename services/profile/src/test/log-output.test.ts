import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@parley/service-kit/testing/free-port'
import { openTestDatabase, type TestDatabase } from '@parley/service-kit/testing/test-database'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { callingMessaging, serverFile } from './start-profile.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase(inject('stack').urls.mongodb)
})
afterEach(() => database.drop())

/** The service with its log on a descriptor of the test's choice. */
async function start(output: 'pipe' | number) {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    PORT: String(port),
    MONGODB_URL: database.url,
    REDIS_URL: inject('stack').urls.redis,
    INTERNAL_ISSUERS: 'bff=http://127.0.0.1:9/jwks.json',
    ...callingMessaging,
  }
  const child = spawn(process.execPath, [serverFile], { env, stdio: ['ignore', output, 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const isReady = () => fetch(`${url}/readyz`).then(({ status }) => status, String)
  return {
    child,
    isReady,
    /** Each leaves a line. */
    ask: async (times: number) => {
      for (let count = 0; count < times; count += 1) expect((await fetch(`${url}/nothing`)).status).toBe(404)
    },
    stop: async () => {
      child.kill('SIGTERM')
      const [exitCode] = await once(child, 'exit')
      return exitCode
    },
  }
}

test('a log that nobody reads any more costs nobody an answer', async () => {
  const profile = await start('pipe')
  profile.child.stdout?.destroy()
  await expect.poll(profile.isReady).toBe(200)
  await profile.ask(100)
  expect(await profile.isReady()).toBe(200)
  expect(await profile.stop()).toBe(0)
})

test('a log on a full disk costs nobody an answer, and goes on once there is room', async ({ skip }) => {
  const disk = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  onTestFinished(() => rmSync(disk, { recursive: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    skip('this user may not mount a small disk')
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
  const [filling, log] = [join(disk, 'filling'), join(disk, 'log')]
  const output = openSync(log, 'a')
  expect(() => writeFileSync(filling, Buffer.alloc(2 * 1024 * 1024))).toThrow('ENOSPC')
  const profile = await start(output)
  closeSync(output)
  await expect.poll(profile.isReady).toBe(200)
  await profile.ask(100)
  expect(readFileSync(log, 'utf8')).toBe('')
  rmSync(filling)
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('"code":"not_found"')
  expect(await profile.stop()).toBe(0)
})

test('it can be stopped while its log cannot be written', async () => {
  const full = openSync('/dev/full', 'w')
  const profile = await start(full)
  closeSync(full)
  await expect.poll(profile.isReady).toBe(200)
  await profile.ask(100)
  expect(await profile.stop()).toBe(0)
})

test('a process whose last line fails at its very end ends all the same', async () => {
  const script = `
    import { createLogger } from '@parley/service-kit/core/logger'
    process.stdin.once('data', () => {
      createLogger({ name: 'ending', level: 'info' }).info('the first line and the last')
      process.exit(3)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout?.destroy()
  child.stdin?.write('now')
  expect(await once(child, 'exit')).toEqual([3, null])
})

test('it can be stopped while the reader of its log reads nothing', async () => {
  const profile = await start('pipe')
  await expect.poll(profile.isReady).toBe(200)
  // More than fits between two processes.
  await profile.ask(3000)
  expect(await profile.stop()).toBe(0)
})

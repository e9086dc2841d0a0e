import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acquireLock, lockHolder } from './lock.ts'
import { commandLine } from './processes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

/** The id of a process that is certainly gone. */
const deadPid = () => spawnSync(process.execPath, ['--version']).pid

test('a second start in the same folder is refused and names the process that runs', () => {
  const file = join(temporaryFolder(), 'lock.json')
  const lock = acquireLock(file)
  expect(() => acquireLock(file)).toThrow(new RegExp(`already runs in this folder \\(process ${process.pid}.*kill`))
  expect(lockHolder(file)).toBe(process.pid)
  lock.release()
  expect(existsSync(file)).toBe(false)
})

test('the lock of a dead launcher is taken over, and reported', () => {
  const file = join(temporaryFolder(), 'lock.json')
  const pid = deadPid()
  writeFileSync(file, JSON.stringify({ pid, command: 'node deploy/local/start.mjs' }))
  expect(lockHolder(file)).toBe('stale')
  expect(acquireLock(file).staleHolder).toBe(pid)
  expect(lockHolder(file)).toBe(process.pid)
})

test('a process that only happens to have the old id does not count as a launcher', () => {
  const file = join(temporaryFolder(), 'lock.json')
  writeFileSync(file, JSON.stringify({ pid: process.pid, command: 'node deploy/local/start.mjs' }))
  expect(commandLine(process.pid)).not.toBe('node deploy/local/start.mjs')
  expect(acquireLock(file).staleHolder).toBe(process.pid)
})

test('a half-written lock is stale', () => {
  const file = join(temporaryFolder(), 'lock.json')
  writeFileSync(file, '{"pid": 1')
  expect(acquireLock(file).staleHolder).toBe(0)
})

test('a launcher that lost its lock does not remove the new holder’s', () => {
  const file = join(temporaryFolder(), 'lock.json')
  const lock = acquireLock(file)
  writeFileSync(file, JSON.stringify({ pid: 1, command: 'another' }))
  lock.release()
  expect(existsSync(file)).toBe(true)
})

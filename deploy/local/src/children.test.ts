import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createChildRecord, endLeftovers, findLeftovers } from './children.ts'
import { isAlive } from './processes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

async function longRunning(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log("up")'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

test('children of a launcher that is gone are found by the record and ended', async () => {
  const file = join(temporaryFolder(), 'children.tsv')
  const pid = await longRunning()
  createChildRecord(file).add('redis', pid)
  expect(await endLeftovers(file)).toEqual(['redis'])
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(file)).toBe(false)
})

test('another program that has the recorded id by now is left alone', async () => {
  const file = join(temporaryFolder(), 'children.tsv')
  const pid = await longRunning()
  writeFileSync(file, `${pid}\tredis\tvalkey-server --port 1234\n`)
  expect(findLeftovers(file)).toEqual([])
  expect(await endLeftovers(file)).toEqual([])
  expect(isAlive(pid)).toBe(true)
})

test('a child that stopped in order is no longer on record', async () => {
  const file = join(temporaryFolder(), 'children.tsv')
  const record = createChildRecord(file)
  record.add('redis', await longRunning())
  record.remove('redis')
  expect(readFileSync(file, 'utf8')).toBe('')
})

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { compareVersions, locateOnPath, versionSeries } from './locate.ts'
import { mongodbTool, redisTool } from './manifest.ts'

let folder = ''
const notes: string[] = []

beforeEach(() => {
  folder = temporaryFolder()
  notes.length = 0
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
})
afterEach(() => vi.unstubAllEnvs())

function install(command: string, prints: string): void {
  writeFileSync(join(folder, command), `#!/bin/sh\necho '${prints}'\n`)
  chmodSync(join(folder, command), 0o755)
}
const note = (line: string) => void notes.push(line)

test('a mongod on the PATH that is new enough is used', async () => {
  install('mongod', 'db version v7.0.14')
  expect(await locateOnPath(mongodbTool, note)).toMatchObject({ path: join(folder, 'mongod'), version: '7.0.14' })
})

test('one below the floor is passed over, and reported', async () => {
  install('mongod', 'db version v5.0.9')
  expect(await locateOnPath(mongodbTool, note)).toBeUndefined()
  expect(notes).toEqual([`${join(folder, 'mongod')} is version 5.0.9; Parley needs 6.0 or newer, so another is used.`])
})

test('an old Valkey gives way to a Redis that is new enough', async () => {
  install('valkey-server', 'Valkey server v=7.2.5 sha=0')
  install('redis-server', 'Redis server v=7.0.15 sha=0')
  expect(await locateOnPath(redisTool, note)).toMatchObject({ command: 'redis-server', version: '7.0.15' })
})

test('versions compare by number and shorten to their series', () => {
  expect(compareVersions('10.0.0', '9.1.2')).toBeGreaterThan(0)
  expect(compareVersions('6.0', '6.0.0')).toBe(0)
  expect(compareVersions('5.0.31', '6.0')).toBeLessThan(0)
  expect(versionSeries('9.1.2')).toBe('9.1')
})

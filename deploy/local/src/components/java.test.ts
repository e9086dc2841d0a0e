import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { majorVersion, requireJava } from './java.ts'

function javaHome(prints: string): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'java'), `#!/bin/sh\necho '${prints}' >&2\n`)
  chmodSync(join(folder, 'bin', 'java'), 0o755)
  return folder
}

test('the version is read in both of its spellings', () => {
  expect(majorVersion('openjdk version "17.0.15" 2025-04-15')).toBe(17)
  expect(majorVersion('openjdk version "25" 2025-09-16')).toBe(25)
  expect(majorVersion('java version "1.8.0_402"')).toBe(1)
  expect(majorVersion('nonsense')).toBeUndefined()
})

test('a Java that is new enough is used, an old or missing one is a sentence with a way out', async () => {
  const home = javaHome('openjdk version "21.0.2" 2024-01-16')
  expect(await requireJava({ JAVA_HOME: home })).toBe(join(home, 'bin', 'java'))
  const old = javaHome('openjdk version "11.0.22" 2024-01-16')
  await expect(requireJava({ JAVA_HOME: old })).rejects.toThrow(/is version 11\. Install Java 17 or newer/)
  await expect(requireJava({ JAVA_HOME: '/nowhere' })).rejects.toThrow(/does not run\. Install Java 17/)
})

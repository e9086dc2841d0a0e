import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for a throw-away stack: in memory where the system has such a place. */
export function throwAwayFolder(): string {
  const inMemory = '/dev/shm'
  return mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), 'parley-test-'))
}

import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeBytes } from '../files.ts'

/** A folder for a throw-away stack: in memory where the system has such a place. */
export function throwAwayFolder(): string {
  const inMemory = '/dev/shm'
  // A container's is often 64 MB.
  const hasRoom = existsSync(inMemory) && freeBytes(inMemory) > 2e9
  return mkdtempSync(join(hasRoom ? inMemory : tmpdir(), 'parley-test-'))
}

import { z } from 'zod'
import type { RealmConfig } from '../realm-config.ts'
import type { Database } from './database.ts'
import { nowSeconds } from './sessions.ts'

const failuresRow = z.object({
  failures: z.number(),
  lockouts: z.number(),
  not_before: z.number(),
  last_failure: z.number(),
  last_ip: z.string(),
})

export type LoginFailures = ReturnType<typeof createLoginFailures>

/** Brute-force protection: every `failureFactor` wrong passwords in a row lock the account for a growing while. */
export function createLoginFailures(database: Database, limits: RealmConfig['bruteForce']) {
  const one = database.prepare('SELECT * FROM login_failures WHERE user_id = ?')
  const put = database.prepare('INSERT OR REPLACE INTO login_failures VALUES (?, ?, ?, ?, ?, ?)')
  const erase = database.prepare('DELETE FROM login_failures WHERE user_id = ?')

  function read(userId: string) {
    const row = one.get(userId)
    return row === undefined ? undefined : failuresRow.parse(row)
  }

  const isLocked = (userId: string): boolean => (read(userId)?.not_before ?? 0) > nowSeconds()

  function record(userId: string, ip: string): void {
    const now = nowSeconds()
    const known = read(userId)
    const recent = known && now - known.last_failure / 1000 <= limits.maxDelta ? known : undefined
    const failures = (recent?.failures ?? 0) + 1
    const wait = Math.min(limits.waitIncrement * Math.floor(failures / limits.failureFactor), limits.maxWait)
    const lockouts = (recent?.lockouts ?? 0) + (wait > 0 ? 1 : 0)
    put.run(userId, failures, lockouts, wait > 0 ? now + wait : 0, Date.now(), ip)
  }

  function clear(userId: string): void {
    erase.run(userId)
  }

  /** Keycloak's answer to GET attack-detection/brute-force/users/{id}. */
  function describe(userId: string) {
    const row = read(userId)
    return {
      failedLoginNotBefore: row?.not_before ?? 0,
      numFailures: row?.failures ?? 0,
      numTemporaryLockouts: row?.lockouts ?? 0,
      disabled: isLocked(userId),
      lastIPFailure: row?.last_ip ?? 'n/a',
      lastFailure: row?.last_failure ?? 0,
    }
  }

  return { isLocked, record, clear, describe }
}

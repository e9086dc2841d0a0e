/** Names of the accounts that a run makes. Pure: runs in k6 and in Node. */
export interface TestAccount {
  readonly email: string
  readonly password: string
}

const pattern = /^load-(\d{10})-([a-z0-9]{1,16})-(\d+)@load\.parley\.test$/

/** Search term for the test accounts at the provider. */
export const accountSearch = 'load-'

/** @param endsAt epoch seconds after which no run uses the account any more; part of the name, so that a later run can tell. @throws for a RUN_ID that no run finds again. */
export function accountEmail(account: { runId: string; endsAt: number; number: number }): string {
  const email = `load-${account.endsAt}-${account.runId}-${account.number}@load.parley.test`
  if (pattern.test(email)) return email
  throw new Error('RUN_ID must be 1 to 16 small letters and digits.')
}

/**
 * Returns whether an account is one to remove: of the given run; without one, of any run that must have ended.
 * @param now epoch seconds.
 */
export function isToRemove(email: string, { runId, now }: { runId: string | undefined; now: number }): boolean {
  const [, endsAt, owner] = pattern.exec(email) ?? []
  if (owner === undefined) return false
  return runId === undefined ? Number(endsAt) < now : owner === runId
}

/** The run that made the accounts: k6 reads the settings again for its teardown, and a made-up RUN_ID would be another one there. */
export const runOf = ([first]: readonly TestAccount[]): string => (first && pattern.exec(first.email)?.[2]) ?? ''

/** Names of the accounts that a run makes. Pure: runs in k6 and in Node. */
export interface TestAccount {
  readonly email: string
  readonly password: string
}

const domain = 'load.parley.test'
const pattern = /^load-(\d{10})-([a-z0-9]{1,16})-(\d+)@load\.parley\.test$/

/** What the provider is asked to search for. */
export const accountSearch = 'load-'

/** @param endsAt epoch seconds after which no run uses the account any more; part of the name, so that a later run can tell. */
export const accountEmail = (account: { runId: string; endsAt: number; number: number }): string =>
  `load-${account.endsAt}-${account.runId}-${account.number}@${domain}`

/**
 * Whether an account is one to remove: of the given run; without one, of any run that must have ended.
 * @param now epoch seconds.
 */
export function isToRemove(email: string, { runId, now }: { runId: string | undefined; now: number }): boolean {
  const [, endsAt, owner] = pattern.exec(email) ?? []
  if (owner === undefined) return false
  return runId === undefined ? Number(endsAt) < now : owner === runId
}

/** The run that made the accounts: k6 reads settings anew for its teardown, and a made-up RUN_ID would be another one there. */
export const runOf = ([first]: readonly TestAccount[]): string => (first && pattern.exec(first.email)?.[2]) ?? ''

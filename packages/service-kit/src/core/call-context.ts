import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditChange, AuditPersonal, AuditRow } from '@parley/contracts/account/audit'

/** A call of a member or a key whose success leaves one entry in the audit log. */
export interface AuditedCall {
  readonly workspaceId: string
  readonly actor: AuditRow['actor']
  readonly action: string
  readonly targets: AuditRow['targets']
  readonly changes: AuditChange[]
  /** Returns whether a value of a field is one that the contract lists, and no text that somebody has typed. */
  readonly isListed: (field: string, value: unknown) => value is NonNullable<AuditChange['to']>
  readonly requestId: string
  readonly personal: AuditPersonal
  /** Records that the call has created so far. */
  readonly created: AuditRow['targets']
  /** The transaction that writes the entry; `done` once it is committed. */
  entry: object | 'done' | undefined
}

/** Returns a call that no endpoint has described: what somebody does by another call of theirs, such as a sign-in. */
export const callOf = (described: Pick<AuditedCall, 'workspaceId' | 'actor' | 'action' | 'targets'>): AuditedCall => ({
  ...described,
  changes: [],
  isListed: (_field, _value): _value is never => false,
  requestId: '',
  personal: {},
  created: [],
  entry: undefined,
})

const calls = new AsyncLocalStorage<AuditedCall>()

/** Runs the work of a call; whatever it stores is stored for this call. */
export const runAudited = <T>(call: AuditedCall, work: () => Promise<T>): Promise<T> => calls.run(call, work)

/** Returns the call at hand, where its entry is still to be written. */
export const unwrittenCall = (): AuditedCall | undefined => {
  const call = calls.getStore()
  return call?.entry === 'done' ? undefined : call
}

/** Adds to the entry of the call at hand what a field was before. */
export function noteBefore(field: string, from: NonNullable<AuditChange['from']>): void {
  const change = calls.getStore()?.changes.find((known) => known.field === field)
  if (change) change.from = from
}

import type { RunRecord } from './runs.model.ts'

/** Fields that a run keeps from its beginning. */
const fixedFields: ReadonlySet<string> = new Set(['id', 'workspaceId', 'version', 'createdAt', 'startedBy', 'retryOf'])

/** Fields of runs as they are stored: a write names those that have changed since, which is a fraction of the record. */
const stored = new WeakMap<RunRecord, RunRecord>()
export function remember<R extends RunRecord | null>(run: R): R {
  if (run) stored.set(run, { ...run })
  return run
}
export const remembered = async (found: PromiseLike<RunRecord[]>): Promise<RunRecord[]> => (await found).map(remember)

/** Fields that a run may lose again. */
const optionalFields = [
  'contactName',
  'live',
  'holds',
  'collect',
  'todo',
  'lane',
  'retryAt',
  'dueAt',
  'dueFor',
  'dueLane',
  'epoch',
  'missed',
  'left',
  'unanswered',
  'ending',
  'slot',
  'acted',
  'conversationId',
  'numberId',
  'outcome',
  'reason',
  'code',
  'endedAt',
  'expireAt',
  'enteredOn',
] as const satisfies readonly (keyof RunRecord)[]

/** Returns the write of what has changed, if nobody has changed the run since it was read. */
export function toWrite(run: RunRecord) {
  const before = stored.get(run)
  const isChanged = (name: string) => !before || before[name as keyof RunRecord] !== run[name as keyof RunRecord]
  const changed = Object.entries(run).filter(([name]) => !fixedFields.has(name) && isChanged(name))
  const $set = Object.fromEntries(changed.filter(([, value]) => value !== undefined))
  const absent = optionalFields.filter((name) => run[name] === undefined && isChanged(name))
  const $unset = Object.fromEntries(absent.map((name) => [name, '']))
  // The version rises also where nothing else has changed.
  return { updateOne: { filter: { _id: run.id, version: run.version }, update: { $set, $unset } } }
}

export const withoutAbsent = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

/** Returns a run that was saved or inserted as it is stored now. */
export const toStored = (run: RunRecord, workspaceId: string): RunRecord =>
  remember({ ...run, workspaceId, version: stored.has(run) ? run.version + 1 : 1 })

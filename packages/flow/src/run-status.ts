/** Statuses of a run. `none`: it does not exist yet. */
export const runStatuses = ['none', 'collecting', 'working', 'waiting', 'held', 'ended'] as const
export type RunStatus = (typeof runStatuses)[number]

/** What happens to a run, as far as its status is concerned. */
export const runChanges = [
  /** Free text that starts it, or answers it, and may go on. */
  'fragment',
  /** A trigger or an input that needs no waiting. */
  'input',
  /** The time for more text is over. */
  'window_closed',
  /** All actions are done, and it waits. */
  'settled',
  /** All actions are done, and the flow is over. */
  'finished',
  /** An action is refused: the same input is stepped again. */
  'refused',
  /** Paused with hold, start limit, overdue, restored. */
  'hold',
  /** A person lets a held run go on. */
  'resume',
  /** Taken over, closed, cancelled, discarded, flow deleted, opted out, erased. */
  'end',
] as const
type RunChange = (typeof runChanges)[number]

const changes: Readonly<Record<RunStatus, Partial<Record<RunChange, RunStatus>>>> = {
  none: { fragment: 'collecting', input: 'working' },
  collecting: { fragment: 'collecting', input: 'working', window_closed: 'working', end: 'ended' },
  // What comes meanwhile stands in the inbox.
  working: {
    fragment: 'working',
    input: 'working',
    settled: 'waiting',
    finished: 'ended',
    refused: 'working',
    end: 'ended',
  },
  waiting: { fragment: 'collecting', input: 'working', hold: 'held', end: 'ended' },
  held: { fragment: 'held', input: 'held', hold: 'held', resume: 'working', end: 'ended' },
  ended: {},
}

/** The status after a change; `undefined` where the change cannot happen to a run of this status. */
export const nextStatus = (status: RunStatus, change: RunChange): RunStatus | undefined => changes[status][change]

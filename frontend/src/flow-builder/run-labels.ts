import { refusalReason } from '@parley/contracts/automation/refusals'
import { type Run, type RunOutcome, runOutcomes } from '@parley/contracts/automation/runs'
import { eventNames } from './labels.ts'

const outcomeLabels: Readonly<Record<RunOutcome, string>> = {
  completed: 'Completed',
  handed_over: 'Handed over',
  taken_over: 'Taken over by a person',
  abandoned: 'No answer in time',
  superseded: 'Another session took its place',
  failed: 'Failed',
  loop: 'Stopped: it went in circles',
  cancelled: 'Ended early',
}

/** Outcomes as a list offers them. */
export const outcomeChoices: readonly { value: RunOutcome | ''; label: string }[] = [
  { value: '', label: 'Any outcome' },
  ...runOutcomes.map((value) => ({ value, label: outcomeLabels[value] })),
]

const statusLabels = {
  collecting: 'Reading a message',
  working: 'Answering',
  waiting: 'Waiting',
  held: 'Held',
} as const

/** A sentence as it stands behind a colon, without its full stop. */
const lowerFirst = (sentence: string) => `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`

/** Tells the state of a run, or how it ended. */
export const labelOf = ({ status, asks, outcome, reason }: Run): string => {
  if (status === 'ended' && outcome === 'cancelled' && reason !== undefined) return `Ended: ${lowerFirst(reason)}`
  if (status === 'ended') return outcome ? outcomeLabels[outcome] : 'Ended'
  return status === 'waiting' && asks ? 'Waiting for an answer' : statusLabels[status]
}

/** Returns the reason why a step was refused, or a remark on one that was done. */
export const whyOf = (code: string | undefined, outcome: string | undefined): string | undefined =>
  code === undefined
    ? outcome === 'done'
      ? undefined
      : outcome
    : code === 'text_cut'
      ? 'the text was too long, and lost its end'
      : code === 'not_delivered'
        ? 'it was not delivered'
        : (refusalReason(code)?.toLowerCase() ?? code)

/** Returns whom a run is about. */
export const whoOf = ({ contactName }: Run): string => contactName ?? 'A customer'

/** Words by which people know the runs of a kind of flow. */
export const runWords = {
  bot: {
    one: 'session',
    many: 'Sessions',
    begins: 'A session begins when a customer writes what a trigger waits for.',
    none: 'No sessions yet',
    noneRuns: 'No session is running',
  },
  workflow: {
    one: 'run',
    many: 'Runs',
    begins: 'A run begins when something happens that a trigger waits for.',
    none: 'No runs yet',
    noneRuns: 'Nothing is running',
  },
} as const

/** Tells why a run of a workflow has begun: `Tag added: vip, by a member`. */
export function startOf({ started }: Run): string | undefined {
  if (!started) return undefined
  const { event, detail, by } = started
  const what = event === 'retry' ? 'Tried again' : eventNames[event]
  const who = by === undefined ? undefined : actors[by]
  return `${what}${detail === undefined ? '' : `: ${detail}`}${who === undefined ? '' : `, by ${who}`}`
}

const actors: Readonly<Record<string, string>> = {
  user: 'a member',
  contact: 'the contact',
  bot: 'a bot',
  workflow: 'a workflow',
  campaign: 'a campaign',
  api_key: 'the API',
}

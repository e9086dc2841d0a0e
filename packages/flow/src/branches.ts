import type { DraftFlow } from '@parley/contracts/automation/flow'

/** A way out of a node. */
export interface Branch {
  /** Name that an edge uses as its `branch`. */
  readonly id: string
  readonly label: string
  /** Branch for what seldom happens: without a target the conversation goes to people, or ends where the customer is silent. */
  readonly isAside?: true
}

type DraftSettings = DraftFlow['nodes'][number]['settings']

const next: Branch = { id: 'next', label: 'Next' }
const yesNo: readonly Branch[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
]
const replyOrTimeout: readonly Branch[] = [
  { id: 'reply', label: 'Reply' },
  { id: 'timeout', label: 'No reply' },
]
const failed: Branch = { id: 'failed', label: 'If it fails', isAside: true }
const ofQuestions: readonly Branch[] = [
  { id: 'invalid', label: 'No fitting answer', isAside: true },
  { id: 'timeout', label: 'No reply', isAside: true },
  failed,
]

/** Returns the branches of a node in the order of display; a draft with incomplete settings has those that can be read. */
export function branchesOf(settings: DraftSettings): readonly Branch[] {
  switch (settings.kind) {
    case 'end':
    case 'go_to_bot':
      return []
    case 'close':
      return [failed]
    case 'business_hours':
    case 'attribute':
    case 'tag':
    case 'last_answer':
      return yesNo
    case 'wait_reply':
      return replyOrTimeout
    case 'ask':
      return [next, ...ofQuestions]
    case 'form':
      return [{ id: 'next', label: 'Filled in' }, ...ofQuestions]
    case 'buttons':
      return [...choiceBranches(settings['choices']), ...ofQuestions]
    case 'list':
      return [...choiceBranches(settings['rows']), ...ofQuestions]
    case 'hook':
    case 'send_text':
    case 'send_media':
    case 'send_template':
    case 'set_attribute':
    case 'add_tag':
    case 'remove_tag':
    case 'assign':
      return [next, failed]
    case 'http_call':
      return [{ id: 'next', label: 'Answered' }, failed, { id: 'uncertain', label: 'Outcome unknown', isAside: true }]
    default:
      return [next]
  }
}

/** Returns what people call a way out of a node; the branch itself where the node has no such way (any more). */
export const branchLabel = (settings: DraftSettings, branch: string): string =>
  branchesOf(settings).find(({ id }) => id === branch)?.label ?? branch

function choiceBranches(choices: unknown): Branch[] {
  const list: readonly unknown[] = Array.isArray(choices) ? choices : []
  return list.filter(isChoice).map(({ id, title }, index) => ({ id, label: title.trim() || `Choice ${index + 1}` }))
}

const isChoice = (value: unknown): value is { id: string; title: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'title' in value &&
  typeof value.id === 'string' &&
  typeof value.title === 'string'

/** Kinds at which a flow stops until something comes from outside. A cycle must pass one of them. */
export const waitingKinds: ReadonlySet<string> = new Set(['ask', 'buttons', 'list', 'form', 'wait_time', 'wait_reply'])

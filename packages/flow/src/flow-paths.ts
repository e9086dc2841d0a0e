import { type DraftFlow, type NodeSettings, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { bySource } from './problems.ts'
import { burst } from './send-limits.ts'

/** Time after a customer's message in which text without a template is delivered, in seconds. */
const windowSeconds = 86_400

/** Hours of silence after which a question without a deadline of its own is given up, where a bot does not say it. */
const defaultIdleHours = 23

/** Visits of a node after which it lies on a cycle. */
const maxVisits = 50

const freeText: ReadonlySet<string> = new Set(['send_text', 'send_media', 'ask', 'buttons', 'list', 'form'])
const questions: ReadonlySet<string> = new Set(['ask', 'buttons', 'list', 'form'])

interface Arrival {
  readonly id: string
  /** Seconds since the customer's last message, at most the window's. */
  readonly silence: number
  readonly assigned: boolean
}

/**
 * Returns nodes of free text that a path reaches on which the customer has been silent for a day.
 * @param idleHours hours after which a question without a deadline of its own is given up.
 */
export const sentOutsideWindow = (flow: DraftFlow, idleHours = defaultIdleHours): string[] =>
  nodesWhere(flow, ({ silence }, kind) => silence >= windowSeconds && freeText.has(kind), idleHours)

/** Returns questions that a path reaches on which the conversation was given to people. */
export const askedAfterAssign = (flow: DraftFlow): string[] =>
  nodesWhere(flow, ({ assigned }, kind) => assigned && questions.has(kind))

/** Returns nodes at which a path has sent more within a minute than leaves: what it sends there and beside it is stopped. */
export function sentAtOnce(flow: DraftFlow): string[] {
  const settings = settingsOf(flow)
  const targets = bySource(flow.edges)
  const seen = new Map<string, Sent>()
  const found = new Set<string>()
  const open: Sent[] = flow.nodes.flatMap(({ id, type }) => (type === 'trigger' ? [{ id, count: 0, seconds: 0 }] : []))
  for (let sent = open.pop(); sent; sent = open.pop()) {
    const known = seen.get(sent.id)
    if (known && (known.count > sent.count || (known.count === sent.count && known.seconds <= sent.seconds))) continue
    seen.set(sent.id, sent)
    const node = settings.get(sent.id)
    if (!node) continue
    const { count } = sent
    const after = isMessage(node) ? Math.min(count + 1, burst.count + 1) : count
    if (after > burst.count && count === burst.count) found.add(sent.id)
    for (const { target, branch } of targets.get(sent.id) ?? []) {
      // A refused message is not sent; a customer who answers takes their time.
      const left = branch === 'failed' ? count : customers.has(node.kind) ? 0 : after
      const seconds = sent.seconds + (node.kind === 'wait_time' ? node.seconds : 0)
      open.push({ id: target, ...(left === 0 || seconds >= burst.seconds ? noneSent : { count: left, seconds }) })
    }
  }
  return flow.nodes.map(({ id }) => id).filter((id) => found.has(id))
}

/** Messages on the way to a node since the customer wrote, or since a pause, and the seconds that they took. */
interface Sent {
  readonly id: string
  readonly count: number
  readonly seconds: number
}
const noneSent = { count: 0, seconds: 0 }
const customers: ReadonlySet<string> = new Set([...questions, 'wait_reply'])
const isMessage = ({ kind }: NodeSettings): boolean => freeText.has(kind) || kind === 'send_template'

const settingsOf = ({ nodes }: DraftFlow): ReadonlyMap<string, NodeSettings> =>
  new Map(
    nodes.flatMap(({ id, settings: draft }) => {
      const parsed = nodeSettingsSchema.safeParse(draft)
      return parsed.success ? [[id, parsed.data] as const] : []
    }),
  )

function nodesWhere(
  flow: DraftFlow,
  holds: (arrival: Arrival, kind: string) => boolean,
  idleHours = defaultIdleHours,
): string[] {
  const settings = settingsOf(flow)
  const found = new Set<string>()
  for (const arrival of arrivalsOf(flow, settings, idleHours * 3600))
    if (holds(arrival, settings.get(arrival.id)?.kind ?? '')) found.add(arrival.id)
  return flow.nodes.map(({ id }) => id).filter((id) => found.has(id))
}

/** Returns every node with the longest silence, and with and without people, by which it can be reached. */
function arrivalsOf(
  { nodes, edges }: DraftFlow,
  settings: ReadonlyMap<string, NodeSettings>,
  idleSeconds: number,
): Arrival[] {
  const key = ({ id, assigned }: Arrival) => `${id} ${assigned}`
  const targets = bySource(edges)
  const visits = new Map<string, number>()
  const open: Arrival[] = nodes.flatMap(({ id, type }) =>
    type === 'trigger' ? [{ id, silence: startOf(id), assigned: false }] : [],
  )
  const seen = new Map<string, Arrival>()
  function startOf(id: string): number {
    const trigger = settings.get(id)
    if (trigger?.kind === 'schedule' || trigger?.kind === 'hook') return windowSeconds
    return trigger?.kind === 'event' && trigger.event !== 'message.received' && trigger.event !== 'campaign.replied'
      ? windowSeconds
      : 0
  }
  for (let arrival = open.pop(); arrival; arrival = open.pop()) {
    const known = seen.get(key(arrival))
    if (known && known.silence >= arrival.silence) continue
    const count = (visits.get(key(arrival)) ?? 0) + 1
    visits.set(key(arrival), count)
    seen.set(key(arrival), arrival)
    const node = settings.get(arrival.id)
    if (!node) continue
    for (const { target, branch } of targets.get(arrival.id) ?? []) {
      const after = silenceAfter(node, branch, { before: arrival.silence, idleSeconds })
      // Silence that grows with every round of a cycle reaches a day in the end.
      const silence = count > maxVisits && after > 0 ? windowSeconds : Math.min(windowSeconds, after)
      open.push({ id: target, silence, assigned: arrival.assigned || (node.kind === 'assign' && branch === 'next') })
    }
  }
  return [...seen.values()]
}

function silenceAfter(
  settings: NodeSettings,
  branch: string,
  { before, idleSeconds }: { readonly before: number; readonly idleSeconds: number },
): number {
  switch (settings.kind) {
    case 'wait_time':
      return before + settings.seconds
    case 'wait_reply':
      return branch === 'reply' ? 0 : before + settings.timeoutSeconds
    case 'ask':
    case 'buttons':
    case 'list':
    case 'form':
      if (branch === 'failed') return before
      return branch === 'timeout' ? before + (settings.timeoutSeconds ?? idleSeconds) : 0
    default:
      return before
  }
}

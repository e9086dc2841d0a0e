import { type DraftFlow, type NodeSettings, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { bySource } from './problems.ts'

/** Time after a customer's message in which text without a template is delivered, in seconds. */
const windowSeconds = 86_400

/** Silence after which a question without a deadline of its own is given up, in seconds. */
const idleSeconds = 23 * 3600

/** Visits of a place after which it stands in a circle. */
const maxVisits = 50

const freeText: ReadonlySet<string> = new Set(['send_text', 'send_media', 'ask', 'buttons', 'list'])
const questions: ReadonlySet<string> = new Set(['ask', 'buttons', 'list'])

interface Place {
  readonly id: string
  /** Seconds since the customer's last message, at most the window's. */
  readonly silence: number
  readonly assigned: boolean
}

/** Nodes of free text to which a way leads on which the customer has been silent for a day. */
export const sentOutsideWindow = (flow: DraftFlow): string[] =>
  nodesWhere(flow, ({ silence }, kind) => silence >= windowSeconds && freeText.has(kind))

/** Questions to which a way leads on which the conversation was given to people. */
export const askedAfterAssign = (flow: DraftFlow): string[] =>
  nodesWhere(flow, ({ assigned }, kind) => assigned && questions.has(kind))

function nodesWhere(flow: DraftFlow, holds: (place: Place, kind: string) => boolean): string[] {
  const settings = new Map(
    flow.nodes.flatMap(({ id, settings: draft }) => {
      const parsed = nodeSettingsSchema.safeParse(draft)
      return parsed.success ? [[id, parsed.data] as const] : []
    }),
  )
  const found = new Set<string>()
  for (const place of placesOf(flow, settings))
    if (holds(place, settings.get(place.id)?.kind ?? '')) found.add(place.id)
  return flow.nodes.map(({ id }) => id).filter((id) => found.has(id))
}

/** Every node with the longest silence, and with and without people, by which it can be reached. */
function placesOf({ nodes, edges }: DraftFlow, settings: ReadonlyMap<string, NodeSettings>): Place[] {
  const key = ({ id, assigned }: Place) => `${id} ${assigned}`
  const targets = bySource(edges)
  const visits = new Map<string, number>()
  const open: Place[] = nodes.flatMap(({ id, type }) =>
    type === 'trigger' ? [{ id, silence: startOf(id), assigned: false }] : [],
  )
  const seen = new Map<string, Place>()
  function startOf(id: string): number {
    const trigger = settings.get(id)
    return trigger?.kind === 'event' && trigger.event !== 'message.received' && trigger.event !== 'campaign.replied'
      ? windowSeconds
      : 0
  }
  for (let place = open.pop(); place; place = open.pop()) {
    const known = seen.get(key(place))
    if (known && known.silence >= place.silence) continue
    const count = (visits.get(key(place)) ?? 0) + 1
    visits.set(key(place), count)
    seen.set(key(place), place)
    const here = settings.get(place.id)
    if (!here) continue
    for (const { target, branch } of targets.get(place.id) ?? []) {
      const after = silenceAfter(here, branch, place.silence)
      // Silence that grows with every round of a circle reaches a day in the end.
      const silence = count > maxVisits && after > 0 ? windowSeconds : Math.min(windowSeconds, after)
      open.push({ id: target, silence, assigned: place.assigned || (here.kind === 'assign' && branch === 'next') })
    }
  }
  return [...seen.values()]
}

function silenceAfter(settings: NodeSettings, branch: string, before: number): number {
  switch (settings.kind) {
    case 'wait_time':
      return before + settings.seconds
    case 'wait_reply':
      return branch === 'reply' ? 0 : before + settings.timeoutSeconds
    case 'ask':
    case 'buttons':
    case 'list':
      if (branch === 'failed') return before
      return branch === 'timeout' ? before + (settings.timeoutSeconds ?? idleSeconds) : 0
    default:
      return before
  }
}

import type { DraftFlow } from '@parley/contracts/automation/flow'
import { branchLabel } from '@parley/flow/branches'
import { diffFlows } from '@parley/flow/diff-flows'
import { nameOf } from './kinds.ts'
import { durationText, eventNames } from './labels.ts'
import { assigneeName, type Names } from './summary.ts'

export type Mark = 'added' | 'removed' | 'changed'
export const markNames: Readonly<Record<Mark, string>> = { added: 'New', removed: 'Gone', changed: 'Changed' }

/** One difference in words. */
interface Difference {
  readonly key: string
  readonly mark: Mark
  /** A changed node or connection. */
  readonly title: string
  /** The fields that differ: `Text: “Hi” → “Hello”`. */
  readonly details: readonly string[]
  /** Node that shows it; absent for one that is not drawn. */
  readonly nodeId: string
}

/** Two flows as one drawing: what is gone stands beside what is new. */
export interface DrawnDiff {
  readonly flow: DraftFlow
  readonly nodes: ReadonlyMap<string, Mark>
  /** Marks of connections by {@link lineKey}. */
  readonly lines: ReadonlyMap<string, Mark>
}

type Line = Pick<DraftFlow['edges'][number], 'source' | 'branch' | 'target'>
export const lineKey = ({ source, branch, target }: Line): string => `${source} ${branch} ${target}`

/** Tells the differences of two flows in words: nodes first, then connections. */
export function describeDiff(before: DraftFlow, after: DraftFlow, names: Names): Difference[] {
  const { added, removed, changed, connected, disconnected } = diffFlows(before, after)
  const node = (mark: Mark) => (one: DraftFlow['nodes'][number]) => ({
    key: `${mark} ${one.id}`,
    mark,
    title: nameOf(one),
    details: [],
    nodeId: one.id,
  })
  const line = (mark: Mark, flow: DraftFlow) => (one: Line) => ({
    key: `${mark} ${lineKey(one)}`,
    mark,
    title: lineName(flow, one),
    details: [],
    nodeId: one.source,
  })
  return [
    ...added.map(node('added')),
    ...removed.map(node('removed')),
    ...changed.map(({ node: one, fields }) => ({
      ...node('changed')(one),
      details: fields.map(
        (change) => `${fieldName(change.field)}: ${shown(change, 'before', names)} → ${shown(change, 'after', names)}`,
      ),
    })),
    ...connected.map(line('added', after)),
    ...disconnected.map(line('removed', before)),
  ]
}

/** Joins two flows for one drawing. */
export function drawDiff(before: DraftFlow, after: DraftFlow): DrawnDiff {
  const { added, removed, changed, connected, disconnected } = diffFlows(before, after)
  const gone = new Set(disconnected.map(lineKey))
  const taken = new Set(after.edges.map(({ id }) => id))
  return {
    flow: {
      ...after,
      nodes: [...after.nodes, ...removed],
      edges: [
        ...after.edges,
        ...before.edges
          .filter((edge) => gone.has(lineKey(edge)))
          .map((edge) => (taken.has(edge.id) ? { ...edge, id: `gone ${edge.id}` } : edge)),
      ],
    },
    nodes: new Map([
      ...added.map(({ id }) => [id, 'added'] as const),
      ...removed.map(({ id }) => [id, 'removed'] as const),
      ...changed.map(({ node: { id } }) => [id, 'changed'] as const),
    ]),
    lines: new Map([
      ...connected.map((one) => [lineKey(one), 'added'] as const),
      ...disconnected.map((one) => [lineKey(one), 'removed'] as const),
    ]),
  }
}

function lineName({ nodes }: DraftFlow, { source, branch, target }: Line): string {
  const [from, to] = [source, target].map((id) => nodes.find((node) => node.id === id))
  const way = branch === 'next' ? '' : ` (${from ? branchLabel(from.settings, branch) : branch})`
  return `${from ? nameOf(from) : source}${way} → ${to ? nameOf(to) : target}`
}

const fieldNames: Readonly<Record<string, string>> = {
  label: 'Name',
  type: 'Type',
  'settings.kind': 'Kind',
  'settings.templateId': 'Template',
  'settings.formId': 'Form',
  'settings.botId': 'Bot',
  'settings.saveTo': 'Saved to',
  'settings.seconds': 'Time',
  'settings.timeoutSeconds': 'Time for a reply',
  'settings.mediaId': 'File',
  'settings.segmentId': 'For whom',
}

/** `settings.invalidText` → `Invalid text` */
function fieldName(field: string): string {
  const known = fieldNames[field]
  if (known !== undefined) return known
  const words = field.replace(/^settings\./, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const maxShown = 120

function shown(
  change: { readonly field: string; readonly before?: unknown; readonly after?: unknown },
  side: 'before' | 'after',
  names: Names,
): string {
  const text = valueText(change.field, change[side], names)
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text
}

function valueText(field: string, value: unknown, names: Names): string {
  if (value === undefined || value === '') return 'nothing'
  if (typeof value === 'number') return field.endsWith('econds') ? durationText(value) : String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') {
    if (field === 'settings.templateId') return names.templates.find(({ id }) => id === value)?.name ?? value
    if (field === 'settings.formId') return names.forms?.find(({ id }) => id === value)?.name ?? value
    if (field === 'settings.segmentId') return names.segments?.find(({ id }) => id === value)?.name ?? value
    if (field === 'settings.botId') return names.bots.find(({ id }) => id === value)?.name ?? value
    if (field === 'settings.event') return eventNames[value as keyof typeof eventNames] ?? value
    return `“${value}”`
  }
  if (Array.isArray(value)) return value.map((part) => valueText('', part, names)).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  if ('kind' in value && (value.kind === 'queue' || value.kind === 'member'))
    return assigneeName(
      value.kind === 'member' && 'memberId' in value
        ? { kind: 'member', memberId: String(value.memberId) }
        : { kind: 'queue' },
      names.members,
    )
  if ('title' in value) return `“${String(value.title)}”`
  return Object.entries(value)
    .map(([name, part]) => `${name} ${valueText('', part, names)}`)
    .join(', ')
}

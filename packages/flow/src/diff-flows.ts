import type { DraftFlow } from '@parley/contracts/automation/flow'

type DraftNode = DraftFlow['nodes'][number]
type Line = Pick<DraftFlow['edges'][number], 'source' | 'branch' | 'target'>

/** One changed field of a node; a value is absent where the field is. */
interface FieldChange {
  /** `label`, `settings.text`. */
  readonly field: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Differences of two flows. Positions do not count. */
interface FlowDiff {
  readonly added: readonly DraftNode[]
  readonly removed: readonly DraftNode[]
  readonly changed: readonly { readonly node: DraftNode; readonly fields: readonly FieldChange[] }[]
  readonly connected: readonly Line[]
  readonly disconnected: readonly Line[]
}

/** Compares two flows node by node and field by field. */
export function diffFlows(before: DraftFlow, after: DraftFlow): FlowDiff {
  const [old, now] = [byId(before), byId(after)]
  const [oldLines, lines] = [linesOf(before), linesOf(after)]
  return {
    added: after.nodes.filter(({ id }) => !old.has(id)),
    removed: before.nodes.filter(({ id }) => !now.has(id)),
    changed: after.nodes.flatMap((node) => {
      const was = old.get(node.id)
      const fields = was ? changesOf(fieldsOf(was), fieldsOf(node)) : []
      return fields.length > 0 ? [{ node, fields }] : []
    }),
    connected: [...lines].filter(([key]) => !oldLines.has(key)).map(([, line]) => line),
    disconnected: [...oldLines].filter(([key]) => !lines.has(key)).map(([, line]) => line),
  }
}

/** Returns whether two flows run alike and read alike. */
export const isSameFlow = (one: DraftFlow, other: DraftFlow): boolean =>
  Object.values(diffFlows(one, other)).every((part: readonly unknown[]) => part.length === 0)

const byId = ({ nodes }: DraftFlow) => new Map(nodes.map((node) => [node.id, node]))

const linesOf = ({ edges }: DraftFlow): Map<string, Line> =>
  new Map(edges.map(({ source, branch, target }) => [`${source} ${branch} ${target}`, { source, branch, target }]))

const fieldsOf = ({ type, label, description, settings }: DraftNode): Map<string, unknown> =>
  new Map([
    ...Object.entries({ type, label, description }),
    ...Object.entries(settings).map(([name, value]): [string, unknown] => [`settings.${name}`, value]),
  ])

const changesOf = (before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): FieldChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [was, is] = [before.get(field), after.get(field)]
    if (canonical(was) === canonical(is)) return []
    return [{ field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]
  })

/** A value as text, whatever the order in which its fields were written. */
const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )

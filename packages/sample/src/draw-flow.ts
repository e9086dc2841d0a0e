import { type DraftFlow, flowFormat, type NodeSettings, nodeTypeOf } from '@parley/contracts/automation/flow'

/** A node as the story writes it; column and row say where it stands. */
export interface Drawn {
  readonly id: string
  readonly label: string
  readonly at: readonly [column: number, row: number]
  readonly settings: NodeSettings
  /** Branch → id of the node that it leads to. */
  readonly to?: Readonly<Record<string, string>>
}

const columnPx = 300
const rowPx = 170

/** A flow from its nodes, top to bottom. */
export const drawFlow = (drawn: readonly Drawn[]): DraftFlow => ({
  format: flowFormat,
  nodes: drawn.map(({ id, label, at: [column, row], settings }) => ({
    id,
    type: nodeTypeOf(settings.kind),
    label,
    description: '',
    position: { x: column * columnPx, y: row * rowPx },
    settings,
  })),
  edges: drawn.flatMap(({ id, to = {} }) =>
    Object.entries(to).map(([branch, target]) => ({ id: `${id}-${branch}`, source: id, target, branch })),
  ),
})

import { type DraftFlow, maxFlowNodes, type NodeKind, nodeTypeOf } from '@parley/contracts/automation/flow'
import { problemsOf } from '@parley/flow/problems'
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { toast } from '../ui/toast.ts'
import {
  addNode,
  connect,
  freePlace,
  insert,
  moveNodes,
  nodeSize,
  type Position,
  part,
  pitch,
  remove,
} from './flow-edits.ts'
import { kinds, nameOf } from './kinds.ts'
import type { useFlowDraft } from './use-flow-draft.ts'
import { fitOptions } from './views.ts'

/** Last copied nodes, from any flow; they can be put into another. */
let clipboard: DraftFlow | undefined

const newId = () => `node-${crypto.randomUUID().slice(0, 12)}`

/** Returns the builder's selection and all actions on the flow, however they are invoked. */
export function useEditor(draft: ReturnType<typeof useFlowDraft>) {
  const { flow, change } = draft
  const [chosen, setSelected] = useState<readonly string[]>([])
  const [announcement, announce] = useState('')
  const { screenToFlowPosition, setCenter, fitView, getNodes } = useReactFlow()
  const store = useStoreApi()
  const problems = useMemo(() => problemsOf(flow), [flow])
  // Nodes removed by an undo are no longer selected.
  const selected = useMemo(() => {
    const known = new Set(flow.nodes.map(({ id }) => id))
    return chosen.filter((id) => known.has(id))
  }, [flow.nodes, chosen])
  const latest = useRef({ flow, selected })
  latest.current = { flow, selected }

  const centre = useCallback((): Position => {
    const { left = 0, top = 0, width = 0, height = 0 } = store.getState().domNode?.getBoundingClientRect() ?? {}
    return screenToFlowPosition({ x: left + width / 2, y: top + height / 2 })
  }, [screenToFlowPosition, store])

  /** Brings a place into view, if it is not. */
  const look = useCallback(
    ({ x, y }: Position) => {
      const { width, height, transform } = store.getState()
      const [left, top, zoom] = transform
      const [from, to] = [
        { x: x * zoom + left, y: y * zoom + top },
        { x: (x + nodeSize.width) * zoom + left, y: (y + nodeSize.height) * zoom + top },
      ]
      if (from.x >= 0 && from.y >= 0 && to.x <= width && to.y <= height) return
      void setCenter(x + nodeSize.width / 2, y + nodeSize.height / 2, { zoom })
    },
    [setCenter, store],
  )

  const add = useCallback(
    (kind: NodeKind, at?: Position) => {
      const { flow: now, selected: picked } = latest.current
      if (now.nodes.length >= maxFlowNodes) {
        toast.note(`A flow can have at most ${maxFlowNodes} nodes.`)
        return
      }
      const after = at ? undefined : now.nodes.find(({ id }) => picked.length === 1 && id === picked[0])
      const middle = centre()
      const wish = after
        ? { x: after.position.x, y: after.position.y + pitch.y }
        : { x: middle.x - nodeSize.width / 2, y: middle.y - nodeSize.height / 2 }
      const target = at ?? freePlace(now, wish)
      const position = { x: Math.round(target.x), y: Math.round(target.y) }
      const settings = { kind, ...kinds[kind].begin() }
      const node = {
        id: newId(),
        type: nodeTypeOf(kind),
        label: kinds[kind].label,
        description: '',
        position,
        settings,
      }
      change((before) => addNode(before, node, after?.id))
      setSelected([node.id])
      if (!at) look(position)
      announce(`${kinds[kind].label} added${after && node.type !== 'trigger' ? ` after ${nameOf(after)}` : ''}.`)
    },
    [change, centre, look],
  )

  const removeParts = useCallback(
    (gone: { nodes: readonly string[]; edges: readonly string[] }) => {
      change((before) => remove(before, gone))
      announce(gone.nodes.length > 0 ? `${gone.nodes.length} removed. Press Ctrl+Z to undo.` : 'Connection removed.')
    },
    [change],
  )

  const put = useCallback(
    (copied: DraftFlow) => {
      const { flow: result, ids } = insert(latest.current.flow, copied, newId)
      change(() => result)
      setSelected(ids)
      announce(`${ids.length} added.`)
    },
    [change],
  )

  const reveal = useCallback(
    (ids: readonly string[]) => {
      setSelected(ids)
      const node = latest.current.flow.nodes.find(({ id }) => id === ids[0])
      if (node) look(node.position)
    },
    [look],
  )

  return {
    problems,
    selected,
    /** Last action, for screen readers. */
    announcement,
    select: setSelected,
    reveal,
    add,
    remove: removeParts,
    removeSelected: useCallback(() => removeParts({ nodes: latest.current.selected, edges: [] }), [removeParts]),
    duplicate: useCallback(() => put(part(latest.current.flow, latest.current.selected)), [put]),
    copy: useCallback(() => {
      clipboard = part(latest.current.flow, latest.current.selected)
      announce(`${clipboard.nodes.length} copied.`)
    }, []),
    paste: useCallback(() => {
      if (clipboard) put(clipboard)
    }, [put]),
    selectAll: useCallback(() => setSelected(latest.current.flow.nodes.map(({ id }) => id)), []),
    move: useCallback(
      (places: ReadonlyMap<string, Position>, isDrag: boolean) =>
        change((before) => moveNodes(before, places), isDrag ? undefined : `move ${[...places.keys()]}`),
      [change],
    ),
    lead: useCallback(
      (source: string, branch: string, target: string | undefined) =>
        change((before) => connect(before, { source, branch, target })),
      [change],
    ),
    arrange: useCallback(async () => {
      const heights = new Map(getNodes().map(({ id, measured }) => [id, measured?.height ?? nodeSize.height]))
      const places = await layOut(latest.current.flow, heights)
      change((before) => moveNodes(before, places))
      announce('Nodes arranged.')
      requestAnimationFrame(() => void fitView(fitOptions))
    }, [change, getNodes, fitView]),
  }
}

/** Returns the nodes' positions in order from top to bottom. The library is loaded on first use. */
async function layOut(
  { nodes, edges }: DraftFlow,
  heights: ReadonlyMap<string, number>,
): Promise<Map<string, Position>> {
  const { Graph, layout } = await import('@dagrejs/dagre')
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 52, ranksep: 64 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id } of nodes) graph.setNode(id, { width: nodeSize.width, height: heights.get(id) ?? nodeSize.height })
  for (const { source, target } of edges) graph.setEdge(source, target)
  layout(graph)
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0, width = 0, height = 0 } = graph.node(id)
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }]
    }),
  )
}

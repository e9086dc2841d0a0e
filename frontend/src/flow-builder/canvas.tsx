import '@xyflow/react/dist/base.css'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { type Branch, branchesOf } from '@parley/flow/branches'
import type { FlowProblem } from '@parley/flow/problems'
import {
  applyEdgeChanges,
  applyNodeChanges,
  Background,
  type Connection,
  type Edge,
  type EdgeChange,
  MarkerType,
  type NodeChange,
  ReactFlow,
  SelectionMode,
} from '@xyflow/react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useThemeMode } from '../ui/theme-mode.ts'
import { useIsMobile } from '../ui/use-media.ts'
import { type Drawn, useChoices } from './builder-context.ts'
import styles from './canvas.module.css'
import { lineKey, markNames } from './diff-words.ts'
import { nodeSize, type Position } from './flow-edits.ts'
import { nameOf, types } from './kinds.ts'
import { type StepNode, StepNodeView } from './step-node.tsx'
import { summaryOf } from './summary.ts'
import { fitOptions, startOf } from './views.ts'

const nodeTypes = { step: StepNodeView }
const deleteKeys = ['Delete', 'Backspace']
const words = {
  'node.a11yDescription.default': 'Press Enter to select, then the arrow keys to move it and Delete to remove it.',
  'edge.a11yDescription.default': 'Press Enter to select, then Delete to remove the connection.',
} as const

interface Canvas {
  flow: DraftFlow
  problems: readonly FlowProblem[]
  selected: readonly string[]
  activeNode: string | null
  /** Flow that is drawn and cannot be edited; absent: the draft. */
  drawn?: Drawn | undefined
  onSelect: (ids: readonly string[]) => void
  /** @param isDrag false for a step by the keyboard. */
  onMove: (places: ReadonlyMap<string, Position>, isDrag: boolean) => void
  onConnect: (connection: { source: string; branch: string; target: string }) => void
  onRemove: (gone: { nodes: readonly string[]; edges: readonly string[] }) => void
  onDrop: (event: React.DragEvent) => void
  onOpen: () => void
  children: ReactNode
}

/** The flow as it is drawn. React Flow keeps what only concerns the eye (drags, sizes); the draft is the caller's. */
export function Canvas({
  flow,
  problems,
  selected,
  activeNode,
  drawn: shown,
  onSelect,
  onMove,
  onConnect,
  onRemove,
  onDrop,
  onOpen,
  children,
}: Canvas) {
  const mode = useThemeMode()
  const mobile = useIsMobile()
  const drawn = useDrawnNodes(flow, problems, activeNode, shown)
  const isDrawn = shown !== undefined
  const [nodes, setNodes] = useState<StepNode[]>(drawn)
  useEffect(() => {
    const chosen = new Set(selected)
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]))
      return drawn.map((node) => {
        const isChosen = chosen.has(node.id)
        // A finger that lands on a node of a full screen means to move the view; a chosen node follows it.
        return { ...known.get(node.id), ...node, selected: isChosen, draggable: !isDrawn && (!mobile || isChosen) }
      })
    })
  }, [drawn, selected, mobile, isDrawn])
  const [chosenEdges, setChosenEdges] = useState<ReadonlySet<string>>(new Set())
  const edges = useMemo(() => edgesOf(flow, chosenEdges, shown?.diff), [flow, chosenEdges, shown?.diff])

  const isDragged = useRef(false)
  const onNodesChange = useCallback(
    (changes: NodeChange<StepNode>[]) => {
      // Selection and removal come back through the caller's state.
      const seen = changes.filter(({ type }) => type === 'position' || type === 'dimensions')
      setNodes((before) => applyNodeChanges(seen, before))
      const settled = changes.flatMap((change) =>
        change.type === 'position' && change.position && !change.dragging
          ? [[change.id, change.position] as const]
          : [],
      )
      if (settled.length > 0) onMove(new Map(settled), isDragged.current)
      const moves = changes.filter((change) => change.type === 'position')
      if (moves.length > 0) isDragged.current = moves.some(({ dragging }) => dragging === true)
      const picks = changes.filter((change) => change.type === 'select')
      if (picks.length === 0 || isDrawn) return
      const chosen = new Set(selected)
      for (const pick of picks) pick.selected ? chosen.add(pick.id) : chosen.delete(pick.id)
      onSelect([...chosen])
    },
    [onMove, onSelect, selected, isDrawn],
  )
  const onEdgesChange = useCallback(
    (changes: EdgeChange[]) => {
      const picked = applyEdgeChanges(
        changes.filter(({ type }) => type === 'select'),
        edges,
      )
      setChosenEdges(new Set(picked.filter((edge) => edge.selected).map(({ id }) => id)))
    },
    [edges],
  )

  return (
    <ReactFlow
      className={styles['canvas'] ?? ''}
      colorMode={mode}
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      nodesConnectable={!isDrawn}
      {...(!isDrawn && { onNodeClick: onOpen })}
      onConnect={({ source, sourceHandle, target }: Connection) =>
        onConnect({ source, branch: sourceHandle ?? 'next', target })
      }
      isValidConnection={({ source, target }) =>
        source !== target && flow.nodes.find(({ id }) => id === target)?.type !== 'trigger'
      }
      onDelete={(gone) => onRemove({ nodes: gone.nodes.map(({ id }) => id), edges: gone.edges.map(({ id }) => id) })}
      onDrop={onDrop}
      onDragOver={(event) => {
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      }}
      deleteKeyCode={isDrawn ? null : deleteKeys}
      multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
      selectionMode={SelectionMode.Partial}
      fitView={!mobile}
      fitViewOptions={fitOptions}
      {...(mobile && { defaultViewport: startOf(flow.nodes, window.innerWidth) })}
      minZoom={0.2}
      maxZoom={1.6}
      connectionRadius={32}
      attributionPosition="top-right"
      ariaLabelConfig={words}
    >
      <Background gap={20} size={1.5} color="var(--border-strong)" />
      {children}
    </ReactFlow>
  )
}

function useDrawnNodes(
  flow: DraftFlow,
  problems: readonly FlowProblem[],
  activeNode: string | null,
  shown: Drawn | undefined,
): StepNode[] {
  const choices = useChoices()
  return useMemo(() => {
    const wrong = new Map(problems.toReversed().map(({ nodeId, message }) => [nodeId, message]))
    return flow.nodes.map((node): StepNode => {
      const summary = summaryOf(node.settings, choices)
      const problem = wrong.get(node.id)
      const mark = shown?.diff?.nodes.get(node.id)
      return {
        id: node.id,
        type: 'step',
        position: node.position,
        initialWidth: nodeSize.width,
        initialHeight: nodeSize.height,
        ariaLabel: `${types[node.type].label}: ${nameOf(node)}. ${mark ? `${markNames[mark]}. ` : ''}${problem ?? summary}`,
        data: {
          node,
          summary,
          branches: drawnBranches(node, flow.edges),
          problem,
          active: node.id === activeNode,
          passed: shown?.visited?.has(node.id),
          mark,
          counts: shown?.counts?.get(node.id),
        },
      }
    })
  }, [flow.nodes, flow.edges, problems, activeNode, choices, shown])
}

/** Ways for what seldom happens are drawn where they lead somewhere; the inspector offers them all. */
const drawnBranches = ({ id, settings }: DraftFlow['nodes'][number], edges: DraftFlow['edges']): readonly Branch[] =>
  branchesOf(settings).filter(
    (branch) => !branch.isAside || edges.some((edge) => edge.source === id && edge.branch === branch.id),
  )

function edgesOf({ nodes, edges }: DraftFlow, chosen: ReadonlySet<string>, diff: Drawn['diff']): Edge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return edges.flatMap(({ id, source, target, branch }): Edge[] => {
    const [from, to] = [byId.get(source), byId.get(target)]
    if (!from || !to) return []
    const mark = diff?.lines.get(lineKey({ source, branch, target }))
    return [
      {
        id,
        source,
        target,
        sourceHandle: branch,
        selected: chosen.has(id),
        type: 'smoothstep',
        ariaLabel: `Connection from ${nameOf(from)} to ${nameOf(to)}${mark ? `. ${markNames[mark]}` : ''}`,
        ...(mark && { className: styles[mark] ?? '' }),
        markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
      },
    ]
  })
}

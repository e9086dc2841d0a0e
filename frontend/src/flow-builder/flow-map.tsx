import { MiniMap } from '@xyflow/react'
import styles from './flow-map.module.css'
import type { StepNode } from './step-node.tsx'

const size = { width: 320, height: 144 }

/** The whole flow in small, beside the canvas and not on it, so that it covers no node. */
export function FlowMap() {
  return (
    <MiniMap<StepNode>
      pannable
      zoomable
      className={styles['map'] ?? ''}
      style={size}
      ariaLabel="Minimap of the flow"
      nodeClassName={(node) => styles[node.data.node.type] ?? ''}
      maskColor="color-mix(in srgb, var(--canvas) 72%, transparent)"
    />
  )
}

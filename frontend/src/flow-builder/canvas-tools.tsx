import ExpandOutlined from '@ant-design/icons/ExpandOutlined'
import ZoomInOutlined from '@ant-design/icons/ZoomInOutlined'
import ZoomOutOutlined from '@ant-design/icons/ZoomOutOutlined'
import { Panel, useReactFlow } from '@xyflow/react'
import { IconButton } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import styles from './flow-editor.module.css'
import { fitOptions } from './views.ts'

/** Buttons for zoom and fit, in the canvas's corner. */
export function CanvasTools() {
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  const tools = [
    { label: 'Zoom in', Icon: ZoomInOutlined, run: () => zoomIn() },
    { label: 'Zoom out', Icon: ZoomOutOutlined, run: () => zoomOut() },
    { label: 'Fit to screen', Icon: ExpandOutlined, run: () => fitView(fitOptions) },
  ]
  return (
    <Panel position="bottom-left" className={styles['zoom'] ?? ''}>
      {tools.map(({ label, Icon, run }) => (
        <Tooltip key={label} text={label} side="right">
          <IconButton label={label} onClick={() => void run()}>
            <Icon aria-hidden />
          </IconButton>
        </Tooltip>
      ))}
    </Panel>
  )
}

import CloseOutlined from '@ant-design/icons/CloseOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './flow-editor.module.css'
import { FlowMap } from './flow-map.tsx'

export type SheetName = 'palette' | 'inspector'

interface Panes {
  /** The test while one runs. */
  readonly chat: ReactNode
  /** A page's own pane, such as its runs or versions. */
  readonly beside: ReactNode
  readonly inspector: ReactNode
  readonly testTitle: string
  readonly panelTitle: string
  readonly onTestClose: () => void
  readonly onPanelClose: (() => void) | undefined
}

/** Pane beside the canvas: the test, else the page's own, else the inspector. */
export function SidePane({ chat, beside, inspector, testTitle, panelTitle, onTestClose, onPanelClose }: Panes) {
  return (
    <aside className={styles['right']} aria-label={chat ? testTitle : beside ? panelTitle : 'Inspector'}>
      <div className={styles['pane']}>
        {chat ? (
          <>
            <PaneHead title={testTitle} close="Close test" onClose={onTestClose} />
            {chat}
          </>
        ) : beside ? (
          <>
            <PaneHead title={panelTitle} close={`Close ${panelTitle.toLowerCase()}`} onClose={() => onPanelClose?.()} />
            {beside}
          </>
        ) : (
          inspector
        )}
      </div>
      <FlowMap />
    </aside>
  )
}

/** Buttons that open the sheets of a narrow window. @param isChosen whether a node is selected. */
export function Dock({ isChosen, onSheet }: { isChosen: boolean; onSheet: (sheet: SheetName) => void }) {
  return (
    <div className={styles['dock']}>
      <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => onSheet('palette')}>
        Add node
      </Button>
      <Button icon={<EditOutlined aria-hidden />} onClick={() => onSheet('inspector')}>
        {isChosen ? 'Edit node' : 'Problems'}
      </Button>
    </div>
  )
}

/** The same panes on narrow windows, and the palette. @param sheet the one that was asked for. */
export function PaneSheets({
  chat,
  beside,
  inspector,
  palette,
  testTitle,
  panelTitle,
  sheet,
  onSheetClose,
  onTestClose,
  onPanelClose,
}: Panes & {
  readonly palette: ReactNode
  readonly sheet: SheetName | undefined
  readonly onSheetClose: () => void
}) {
  return (
    <>
      <Sheet title="Add node" open={sheet === 'palette'} onClose={onSheetClose}>
        {palette}
      </Sheet>
      <Sheet title={panelTitle} open={Boolean(beside) && !chat} onClose={() => onPanelClose?.()}>
        {beside}
      </Sheet>
      <Sheet title="Inspector" open={sheet === 'inspector' && !chat && !beside} onClose={onSheetClose}>
        {inspector}
      </Sheet>
      <Sheet title={testTitle} open={Boolean(chat)} onClose={onTestClose}>
        {chat}
      </Sheet>
    </>
  )
}

/** A pane that slides in from below where there is no room beside the canvas. */
function Sheet({
  title,
  open,
  onClose,
  children,
}: {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Drawer
      title={title}
      placement="bottom"
      size="72dvh"
      open={open}
      onClose={onClose}
      destroyOnHidden
      styles={{ body: { padding: 0 } }}
    >
      {children}
    </Drawer>
  )
}

/** Head of a pane beside the canvas; on a phone its sheet has one. */
function PaneHead({ title, close, onClose }: { title: string; close: string; onClose: () => void }) {
  return (
    <div className={styles['paneHead']}>
      <h2>{title}</h2>
      <IconButton label={close} onClick={onClose}>
        <CloseOutlined aria-hidden />
      </IconButton>
    </div>
  )
}

import AlignCenterOutlined from '@ant-design/icons/AlignCenterOutlined'
import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import RedoOutlined from '@ant-design/icons/RedoOutlined'
import UndoOutlined from '@ant-design/icons/UndoOutlined'
import WarningFilled from '@ant-design/icons/WarningFilled'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { counted } from '../lib/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import styles from './flow-editor.module.css'
import { NameField } from './name-field.tsx'
import type { useFlowDraft } from './use-flow-draft.ts'

/** The builder's own row: what is edited, and what can be done to the whole of it. */
export function EditorBar({
  name,
  status,
  saving,
  draft,
  isDrawn,
  problems,
  testLabel,
  testing,
  onRename,
  onProblems,
  onArrange,
  onTest,
  onSave,
  children,
}: {
  name: string
  status: ReactNode
  saving: boolean
  draft: ReturnType<typeof useFlowDraft>
  /** True while something else than the draft is on the canvas. */
  isDrawn: boolean
  problems: number
  testLabel: string
  testing: boolean
  onRename: (name: string) => Promise<unknown>
  onProblems: () => void
  onArrange: () => void
  onTest: () => void
  onSave: () => void
  /** Commands beside the one that saves. */
  children?: ReactNode
}) {
  const tools = [
    { label: 'Undo', keys: 'Ctrl+Z', Icon: UndoOutlined, run: draft.undo, off: isDrawn || !draft.canUndo },
    { label: 'Redo', keys: 'Ctrl+Shift+Z', Icon: RedoOutlined, run: draft.redo, off: isDrawn || !draft.canRedo },
    { label: 'Arrange', keys: 'tidies up the nodes', Icon: AlignCenterOutlined, run: onArrange, off: isDrawn },
  ]
  return (
    <div className={styles['bar']}>
      <div className={styles['what']}>
        <NameField key={name} name={name} onRename={onRename} />
        {status}
        <span className={styles['saved']} role="status">
          {saving ? 'Saving...' : draft.dirty ? 'Unsaved changes' : ''}
        </span>
      </div>
      <div className={styles['actions']}>
        <button type="button" className={styles['check']} data-fine={problems === 0 || undefined} onClick={onProblems}>
          {problems === 0 ? <CheckCircleFilled aria-hidden /> : <WarningFilled aria-hidden />}
          <span className={styles['checkLabels']}>{problems === 0 ? 'No problems' : counted(problems, 'problem')}</span>
        </button>
        <div className={styles['tools']}>
          {tools.map(({ label, keys, Icon, run, off }) => (
            <Tooltip key={label} text={`${label} (${keys})`} side="bottom">
              <IconButton label={label} aria-disabled={off} data-off={off || undefined} onClick={off ? undefined : run}>
                <Icon aria-hidden />
              </IconButton>
            </Tooltip>
          ))}
          <Button
            className={styles['command'] ?? ''}
            icon={<PlayCircleOutlined aria-hidden />}
            aria-pressed={testing}
            onClick={onTest}
          >
            {testLabel}
          </Button>
          <Button
            className={styles['command'] ?? ''}
            type="primary"
            loading={saving}
            disabled={!draft.dirty && !saving}
            onClick={onSave}
          >
            Save Changes
          </Button>
          {children}
        </div>
      </div>
    </div>
  )
}

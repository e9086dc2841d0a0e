import type { DraftFlow } from '@parley/contracts/automation/flow'
import { Button, Modal } from 'antd'
import { counted } from '../lib/format.ts'
import type { FlowKind } from './builder-context.ts'
import styles from './flow-conflict.module.css'

interface Props {
  what: FlowKind
  mine: DraftFlow
  /** Absent while there is no conflict. */
  theirs: DraftFlow | undefined
  saving: boolean
  onKeepMine: () => void
  onTakeTheirs: (theirs: DraftFlow) => void
  onLater: () => void
}

/** Asks which of two flows is to continue. */
export function FlowConflict({ what, mine, theirs, saving, onKeepMine, onTakeTheirs, onLater }: Props) {
  return (
    <Modal
      open={theirs !== undefined}
      centered
      width={480}
      title={`This ${what} was changed elsewhere`}
      destroyOnHidden
      onCancel={onLater}
      footer={
        <>
          <Button onClick={() => theirs && onTakeTheirs(theirs)} disabled={saving}>
            Take theirs
          </Button>
          <Button type="primary" onClick={onKeepMine} loading={saving}>
            Keep mine
          </Button>
        </>
      }
    >
      <p>Someone saved another flow while you were editing. Yours is not saved yet.</p>
      <dl className={styles['flows']}>
        {theirs && <FlowFacts name="Theirs" flow={theirs} other={mine} />}
        <FlowFacts name="Yours" flow={mine} other={theirs ?? mine} />
      </dl>
      <p>“Keep mine” replaces theirs. “Take theirs” opens it here; Undo brings yours back.</p>
    </Modal>
  )
}

function FlowFacts({ name, flow, other }: { name: string; flow: DraftFlow; other: DraftFlow }) {
  const known = new Map(other.nodes.map((node) => [node.id, JSON.stringify([node.label, node.settings])]))
  const changed = flow.nodes.filter((node) => known.get(node.id) !== JSON.stringify([node.label, node.settings]))
  const names = changed.slice(0, 3).map(({ label }) => label)
  const more = changed.length - names.length
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {counted(flow.nodes.length, 'node')}
        {names.length > 0 && (
          <span className={styles['names']} dir="auto">
            Different: {names.join(', ')}
            {more > 0 && ` and ${more} more`}
          </span>
        )}
      </dd>
    </div>
  )
}

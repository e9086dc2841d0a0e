import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { type FlowNodeType, flowNodeTypes, type NodeKind } from '@parley/contracts/automation/flow'
import type { FlowKind } from './builder-context.ts'
import { kinds, types } from './kinds.ts'
import styles from './palette.module.css'
import { dragType, kindsFor } from './palette-kinds.ts'

/**
 * Lists the nodes to add: a button for each of the four types, and below it its kinds. By click, by key or dragged to its place.
 */
export function Palette({ what, onAdd }: { what: FlowKind; onAdd: (kind: NodeKind) => void }) {
  return (
    <div className={styles['palette']}>
      {flowNodeTypes.map((type) => (
        <section key={type} className={styles['group']} data-type={type} aria-label={types[type].label}>
          <AddButton
            kind={firstOf(what, type)}
            className={styles['type']}
            name={`Add ${types[type].label}`}
            onAdd={onAdd}
          >
            <PlusOutlined aria-hidden />
            <span>Add {types[type].label}</span>
          </AddButton>
          {kindsFor(what, type).map((kind) => (
            <KindButton key={kind} kind={kind} onAdd={onAdd} />
          ))}
        </section>
      ))}
    </div>
  )
}

const firstOf = (what: FlowKind, type: FlowNodeType): NodeKind => kindsFor(what, type)[0] ?? types[type].first

function KindButton({ kind, onAdd }: { kind: NodeKind; onAdd: (kind: NodeKind) => void }) {
  const { label, Icon } = kinds[kind]
  return (
    <AddButton kind={kind} className={styles['kind']} name={`Add node: ${label}`} onAdd={onAdd}>
      <Icon aria-hidden />
      <span>{label}</span>
    </AddButton>
  )
}

function AddButton({
  kind,
  className,
  name,
  onAdd,
  children,
}: {
  kind: NodeKind
  className: string | undefined
  name: string
  onAdd: (kind: NodeKind) => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      draggable
      className={className}
      aria-label={name}
      onClick={() => onAdd(kind)}
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, kind)
        event.dataTransfer.effectAllowed = 'copy'
      }}
    >
      {children}
    </button>
  )
}

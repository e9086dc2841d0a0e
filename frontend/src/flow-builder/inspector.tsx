import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import WarningFilled from '@ant-design/icons/WarningFilled'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { branchesOf } from '@parley/flow/branches'
import type { FlowProblem } from '@parley/flow/problems'
import { Button, Select } from 'antd'
import { useId } from 'react'
import type { FlowKind } from './builder-context.ts'
import { targetOf } from './flow-edits.ts'
import styles from './inspector.module.css'
import { nameOf } from './kinds.ts'
import { NodeForm } from './node-form.tsx'
import type { NodeFormValues } from './node-form-values.ts'
import { ProblemList } from './problem-list.tsx'

interface Inspector {
  what: FlowKind
  flow: DraftFlow
  problems: readonly FlowProblem[]
  selected: readonly string[]
  revision: number
  onChange: (id: string, values: NodeFormValues, isApart?: boolean) => void
  onLead: (source: string, branch: string, target: string | undefined) => void
  onSelect: (ids: readonly string[]) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** Shows the selection with everything that can be changed about it; else the problems of the flow. */
export function Inspector(props: Inspector) {
  const { what, flow, problems, selected, revision, onChange, onLead, onSelect, onDuplicate, onRemove } = props
  const node = selected.length === 1 ? flow.nodes.find(({ id }) => id === selected[0]) : undefined
  const tools = (
    <div className={styles['tools']}>
      <Button icon={<CopyOutlined aria-hidden />} onClick={onDuplicate}>
        Duplicate
      </Button>
      <Button icon={<DeleteOutlined aria-hidden />} danger onClick={onRemove}>
        Delete
      </Button>
    </div>
  )
  if (!node)
    return (
      <div className={styles['inspector']}>
        {selected.length > 1 ? (
          <>
            <h2 className={styles['title']}>{selected.length} nodes</h2>
            {tools}
          </>
        ) : (
          <>
            <h2 className={styles['title']}>Flow</h2>
            <ProblemList flow={flow} problems={problems} onSelect={onSelect} />
            <p className={styles['note']}>
              Select a node to change it. Drag from a dot to connect two nodes, or choose under “Leads to” where a
              branch goes. A branch that leads nowhere ends the conversation.
            </p>
          </>
        )}
      </div>
    )
  const problemsOfNode = problems.filter(({ nodeId }) => nodeId === node.id)
  return (
    <div className={styles['inspector']}>
      <h2 className={styles['title']} dir="auto">
        {nameOf(node)}
      </h2>
      {problemsOfNode.map(({ message }) => (
        <p key={message} className={styles['problem']}>
          <WarningFilled aria-hidden /> <span>{message}</span>
        </p>
      ))}
      <NodeForm
        key={`${node.id} ${revision}`}
        what={what}
        node={node}
        onChange={(values, isApart) => onChange(node.id, values, isApart)}
      />
      <LeadsTo key={node.id} flow={flow} node={node} onLead={onLead} />
      {tools}
    </div>
  )
}

/** Connects without a mouse: where each branch of the node goes. */
function LeadsTo({
  flow,
  node,
  onLead,
}: {
  flow: DraftFlow
  node: DraftFlow['nodes'][number]
  onLead: Inspector['onLead']
}) {
  const id = useId()
  const branches = branchesOf(node.settings)
  if (branches.length === 0) return null
  const targets = flow.nodes
    .filter((other) => other.id !== node.id && other.type !== 'trigger')
    .map((other, index, all) => {
      const name = nameOf(other)
      const twin = all.some((another, otherIndex) => otherIndex !== index && nameOf(another) === name)
      return { value: other.id, label: twin ? `${name} (${index + 1})` : name }
    })
  return (
    <fieldset className={styles['choices']}>
      <legend>Leads to</legend>
      {branches.map((branch) => (
        <div key={branch.id} className={styles['lead']}>
          <label htmlFor={`${id}-${branch.id}`} dir="auto">
            {branch.label}
          </label>
          <Select
            id={`${id}-${branch.id}`}
            value={targetOf(flow, node.id, branch.id) ?? ''}
            options={[{ value: '', label: 'Nothing: the conversation ends' }, ...targets]}
            showSearch={targets.length > 8 ? { optionFilterProp: 'label' } : false}
            onChange={(target) => onLead(node.id, branch.id, target || undefined)}
          />
        </div>
      ))}
    </fieldset>
  )
}

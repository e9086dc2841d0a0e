import WarningFilled from '@ant-design/icons/WarningFilled'
import type { FlowCounts } from '@parley/contracts/automation/publication'
import type { Branch } from '@parley/flow/branches'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { formatCount } from '../lib/format.ts'
import { type Mark, markNames } from './diff-words.ts'
import type { DraftNode } from './flow-edits.ts'
import { kindOf, kinds, nameOf, types } from './kinds.ts'
import styles from './step-node.module.css'

export type StepNode = Node<
  {
    readonly node: DraftNode
    readonly summary: string
    readonly branches: readonly Branch[]
    /** Problem of the node, if any. */
    readonly problem: string | undefined
    /** The test is here. */
    readonly active: boolean
    /** True where the run that is drawn has passed it; absent while the flow is edited. */
    readonly passed: boolean | undefined
    /** Difference to another version. */
    readonly mark: Mark | undefined
    /** Figures of the node, where those are shown. */
    readonly counts: FlowCounts['nodes'][number] | undefined
  },
  'step'
>

/** Maximum branches in a row; more stand below each other. */
const maxInARow = 3

/** One node of the flow on the canvas. */
export const StepNodeView = memo(function StepNodeView({ data }: NodeProps<StepNode>) {
  const { node, summary, branches, problem, active, passed, mark, counts } = data
  const kind = kindOf(node.settings)
  const Icon = kind && kinds[kind].Icon
  const labelled = branches.length > 1 || (branches[0] !== undefined && branches[0].id !== 'next')
  const inRow = branches.length <= maxInARow
  return (
    <div
      className={styles['node']}
      data-type={node.type}
      data-active={active || undefined}
      data-passed={passed}
      data-mark={mark}
      data-problem={problem !== undefined || undefined}
    >
      {node.type !== 'trigger' && <Handle type="target" position={Position.Top} className={styles['handle'] ?? ''} />}
      <div className={styles['head']}>
        <span className={styles['icon']}>{Icon && <Icon aria-hidden />}</span>
        <span className={styles['words']}>
          <span className={styles['type']}>
            {types[node.type].label}
            {kind && kinds[kind].label !== nameOf(node) ? ` · ${kinds[kind].label}` : ''}
          </span>
          <span className={styles['label']} dir="auto">
            {nameOf(node)}
          </span>
        </span>
        {active && <span className={styles['here']}>Active</span>}
        {mark && <span className={styles['mark']}>{markNames[mark]}</span>}
      </div>
      {problem === undefined ? (
        summary && (
          <p className={styles['summary']} dir="auto">
            {summary}
          </p>
        )
      ) : (
        <p className={styles['problem']}>
          <WarningFilled aria-hidden /> <span>{problem}</span>
        </p>
      )}
      {counts && <p className={styles['counts']}>{countsLine(counts)}</p>}
      {labelled ? (
        <ul className={inRow ? styles['row'] : styles['column']}>
          {branches.map(({ id, label }) => (
            <li key={id} className={styles['branch']} dir="auto" title={label}>
              <span className={styles['branchText']}>
                {label}
                {counts && ` · ${formatCount(counts.left.find(({ branch }) => branch === id)?.count ?? 0)}`}
              </span>
              <Handle
                id={id}
                type="source"
                position={inRow ? Position.Bottom : Position.Right}
                className={styles['handle'] ?? ''}
              />
            </li>
          ))}
        </ul>
      ) : (
        branches.map(({ id }) => (
          <Handle key={id} id={id} type="source" position={Position.Bottom} className={styles['handle'] ?? ''} />
        ))
      )}
    </div>
  )
})

/** `143 came · 12 wait · 3 ended here`. */
const countsLine = ({ entered, here, dropped, failed }: FlowCounts['nodes'][number]): string =>
  [
    `${formatCount(entered)} came`,
    here > 0 && `${formatCount(here)} here now`,
    dropped > 0 && `${formatCount(dropped)} ended here`,
    failed > 0 && `${formatCount(failed)} refused`,
  ]
    .filter(Boolean)
    .join(' · ')

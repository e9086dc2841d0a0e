import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import WarningFilled from '@ant-design/icons/WarningFilled'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowProblem } from '@parley/flow/problems'
import styles from './inspector.module.css'
import { nameOf } from './kinds.ts'

/** List of everything that is wrong with the flow; each entry leads to its node. */
export function ProblemList({
  flow,
  problems,
  onSelect,
}: {
  flow: DraftFlow
  problems: readonly FlowProblem[]
  onSelect: (ids: readonly string[]) => void
}) {
  if (problems.length === 0)
    return (
      <p className={styles['fine']}>
        <CheckCircleFilled aria-hidden /> <span>No problems. This flow can run.</span>
      </p>
    )
  return (
    <ul className={styles['problems']} aria-label="Problems">
      {problems.map(({ code, nodeId, message }) => {
        const node = flow.nodes.find(({ id }) => id === nodeId)
        return (
          <li key={`${code} ${nodeId} ${message}`}>
            {node ? (
              <button type="button" className={styles['problemButton']} onClick={() => onSelect([node.id])}>
                <WarningFilled aria-hidden />
                <span>
                  <b dir="auto">{nameOf(node)}</b> {message}
                </span>
              </button>
            ) : (
              <p className={styles['problem']}>
                <WarningFilled aria-hidden /> <span>{message}</span>
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}

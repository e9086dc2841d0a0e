import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import type { ReactNode } from 'react'
import styles from './answer-tree.module.css'

/** A statement with yes or no; or a group of them, which has no text of its own. */
export interface Answer {
  readonly text: string
  readonly holds: boolean
  readonly match?: 'all' | 'any' | undefined
  readonly conditions?: readonly Answer[] | undefined
}

/** Statements, groups within groups, each with yes or no. */
export function AnswerTree({ answer }: { answer: Answer }) {
  const { conditions } = answer
  if (!conditions) return <Answered holds={answer.holds}>{answer.text}</Answered>
  return (
    <div className={styles['group']}>
      {conditions.length > 1 && <p>{answer.match === 'all' ? 'All of these:' : 'Any of these:'}</p>}
      <ul className={styles['conditions']}>
        {conditions.map((condition, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place.
          <li key={index}>
            <Mark holds={condition.holds} />
            {condition.conditions ? <AnswerTree answer={condition} /> : <bdi>{condition.text}</bdi>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** One statement that holds, or does not. */
export function Answered({ holds, children }: { holds: boolean; children: ReactNode }) {
  return (
    <p className={styles['one']}>
      <Mark holds={holds} />
      <span>{children}</span>
    </p>
  )
}

function Mark({ holds }: { holds: boolean }) {
  return (
    <span className={holds ? styles['yes'] : styles['no']}>
      {holds ? <CheckCircleOutlined aria-label="Yes:" /> : <CloseCircleOutlined aria-label="No:" />}
    </span>
  )
}

import type { Assignment } from '@parley/contracts/inbox/assignment'
import { InputNumber } from 'antd'
import styles from './member-limits.module.css'

type Limits = Assignment['limits']

interface Props {
  readonly limits: Limits
  /** Limit of those who have none of their own. */
  readonly shared: number | null
  readonly members: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (limits: Limits) => void
}

/** Limits of single members: an empty one is that of all. */
export function MemberLimits({ limits, shared, members, onChange }: Props) {
  const change = (userId: string, limit: number | null) => {
    const others = limits.filter((one) => one.userId !== userId)
    onChange(limit === null ? others : [...others, { userId, limit }])
  }
  return (
    <fieldset className={styles['limits']}>
      <legend>Limits of their own</legend>
      <ul>
        {members.map(({ value: userId, label }) => (
          <li key={userId}>
            <span className={styles['name']} dir="auto">
              {label}
            </span>
            <InputNumber
              aria-label={`Limit of ${label}`}
              inputMode="numeric"
              min={1}
              max={500}
              precision={0}
              placeholder={shared === null ? 'No limit' : String(shared)}
              value={limits.find((one) => one.userId === userId)?.limit ?? null}
              onChange={(limit) => change(userId, limit)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

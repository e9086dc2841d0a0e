import type { ReactNode } from 'react'
import styles from './choice-reason.module.css'

/** Shows a choice of a list, with a line below that says why it cannot be chosen. */
export const choiceWithReason = ({
  label,
  data,
}: {
  readonly label?: ReactNode
  readonly data: { readonly reason?: string | undefined }
}): ReactNode =>
  data.reason === undefined ? (
    label
  ) : (
    <span className={styles['choice']}>
      {label}
      <span className={styles['reason']}>{data.reason}</span>
    </span>
  )

/** Makes a choice of a list; one with a reason cannot be chosen, and screen readers say the reason after its label. */
export const choiceOf = ({
  value,
  label,
  reason,
}: {
  readonly value: string
  readonly label: string
  readonly reason?: string | undefined
}) => ({
  value,
  label,
  reason,
  disabled: reason !== undefined,
  ...(reason !== undefined && { 'aria-label': `${label}. ${reason}` }),
})

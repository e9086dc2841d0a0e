import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './text-input.module.css'

/** A text field that looks like antd's, for pages that ship without antd. `suffix` stands inside, at its end. */
export function TextInput({
  suffix,
  status,
  large = false,
  ...input
}: {
  suffix?: ReactNode
  /** Status from `Field`. */
  status?: 'error'
  /** Gives it the height of the large buttons of the sign-in pages. */
  large?: boolean
  ref?: Ref<HTMLInputElement>
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'className'>) {
  return (
    <span className={styles['box']} data-status={status} data-large={large || undefined}>
      <input {...input} className={styles['input']} />
      {suffix}
    </span>
  )
}

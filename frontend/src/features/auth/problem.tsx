import ExclamationCircleFilled from '@ant-design/icons/ExclamationCircleFilled'
import styles from './auth-card.module.css'

/** Reason why a form failed where no field is at fault. The toast has said it aloud already. */
export function Problem({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p className={styles['problem']}>
      <ExclamationCircleFilled aria-hidden />
      <span>{text}</span>
    </p>
  )
}

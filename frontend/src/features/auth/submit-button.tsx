import LoadingOutlined from '@ant-design/icons/LoadingOutlined'
import { ActionButton } from '../../ui/action.tsx'
import styles from './submit-button.module.css'

/**
 * Sends the form. While it is pending its words stay, so that the width does; a second press does nothing. It is not
 * disabled then, which would throw the focus away.
 */
export function SubmitButton({ label, pending }: { label: string; pending: boolean }) {
  return (
    <ActionButton
      primary
      large
      block
      type="submit"
      aria-disabled={pending}
      aria-busy={pending}
      onClick={(event) => pending && event.preventDefault()}
    >
      {pending && <LoadingOutlined className={styles['spinner'] ?? ''} aria-hidden />}
      {label}
    </ActionButton>
  )
}

import { Select } from 'antd'
import { useId } from 'react'
import { useAccounts } from '../../../lib/choices/accounts.ts'
import styles from './editor.module.css'

/** Field of the business account that a template is for; nothing where there is only one. */
export function AccountField({
  chosen,
  fixed,
  onChoose,
}: {
  chosen: string | undefined
  /** A stored template, and a language of one, stay where they are. */
  fixed: boolean
  onChoose: (id: string) => void
}) {
  const accounts = useAccounts()
  const id = useId()
  if (accounts.length === 0) return null
  return (
    <div className={styles['account']}>
      <label htmlFor={id}>Account</label>
      <Select
        id={id}
        value={chosen ?? accounts[0]?.id ?? null}
        disabled={fixed}
        options={accounts.map((account) => ({ value: account.id, label: account.label }))}
        onChange={onChoose}
      />
      <p>Only numbers of its account can send a template.</p>
    </div>
  )
}

import { maxWorkspaceName, type Workspace } from '@parley/contracts/account/workspace'
import { Input } from 'antd'
import { useId } from 'react'
import styles from './profile-form.module.css'

/** The name of the business, which its first owner is asked for once. */
export function BusinessName({
  workspace,
  value,
  onChange,
}: {
  workspace: Workspace
  value: string | undefined
  onChange: (name: string) => void
}) {
  const id = useId()
  return (
    <div className={styles['business']}>
      <label htmlFor={id}>Business Name</label>
      <Input
        id={id}
        value={value ?? workspace.name}
        onChange={({ target }) => onChange(target.value)}
        autoComplete="organization"
        maxLength={maxWorkspaceName}
        aria-describedby={`${id}-hint`}
        dir="auto"
      />
      <p id={`${id}-hint`}>Your workspace has this name. You can change it in Settings.</p>
    </div>
  )
}

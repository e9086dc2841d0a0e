import { maxWorkspaceName, type Workspace } from '@parley/contracts/account/workspace'
import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { ownWorkspaceOptions } from '../../lib/choices/workspace.ts'
import { useNavigate } from '../../lib/navigation.ts'
import { useIdentity, useUser } from '../../lib/user.ts'
import { Logo } from '../../ui/logo.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { toast } from '../../ui/toast.ts'
import { useRenameWorkspace } from './api.ts'
import { valuesForSetup } from './form-values.ts'
import form from './profile-form.module.css'
import { ProfileForm } from './profile-form.tsx'
import styles from './profile-setup-page.module.css'

/** Page 'Complete Your Profile': the last step before the dashboard. */
export function ProfileSetupPage() {
  const navigate = useNavigate()
  const identity = useIdentity()
  const { data: user } = useUser()
  const { data: workspace } = useQuery({ ...ownWorkspaceOptions(), enabled: user?.role === 'owner' })
  const first = workspace && workspace.createdBy === user?.id ? workspace : undefined
  const [business, setBusiness] = useState<string>()
  const rename = useRenameWorkspace()
  return (
    <main className={styles['page']}>
      <header className={styles['top']}>
        <Logo />
        <ThemeToggle />
      </header>
      <h1>Complete Your Profile</h1>
      <p className={styles['lead']}>This is how your team will see you. You can change all of it later.</p>
      <ProfileForm
        initial={valuesForSetup(user, identity ?? { displayName: '', photoURL: '' })}
        submitLabel="Complete Setup"
        onSaved={() => {
          const name = business?.trim()
          if (first && name && name !== first.name) rename.mutate({ name, version: first.version })
          toast.success('Your profile has been set up successfully!')
          navigate('/dashboard', { replace: true })
        }}
      >
        {first && <BusinessName workspace={first} value={business} onChange={setBusiness} />}
      </ProfileForm>
    </main>
  )
}

/** The name of the business, which its first owner is asked for once. */
function BusinessName({
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
    <div className={form['business']}>
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

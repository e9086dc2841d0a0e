import { useNavigate } from '../../lib/navigation.ts'
import { useIdentity, useUser } from '../../lib/user.ts'
import { Logo } from '../../ui/logo.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { toast } from '../../ui/toast.ts'
import { valuesForSetup } from './form-values.ts'
import { ProfileForm } from './profile-form.tsx'
import styles from './profile-setup-page.module.css'

/** 'Complete Your Profile': the last step before the dashboard. */
export function ProfileSetupPage() {
  const navigate = useNavigate()
  const identity = useIdentity()
  const { data: user } = useUser()
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
          toast.success('Your profile has been set up successfully!')
          navigate('/dashboard', { replace: true })
        }}
      />
    </main>
  )
}

import { authApi } from '@parley/contracts/account/auth-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { endSessionLocally } from '../../lib/auth/session.ts'
import { PasswordDialog } from '../../ui/password-dialog.tsx'
import styles from './sessions/sessions-card.module.css'

/** Deletes the person's account, once its address and the password were typed. */
export function DeleteAccountCard({ email }: { email: string }) {
  const [open, setOpen] = useState(false)
  return (
    <section className={styles['card']} aria-labelledby="delete-account-title">
      <div className={styles['head']}>
        <div>
          <h2 id="delete-account-title">Delete account</h2>
          <p className={styles['lead']}>
            You leave every workspace, and a workspace that is yours alone is erased with you. This cannot be undone.
          </p>
        </div>
        <Button danger onClick={() => setOpen(true)}>
          Delete Account
        </Button>
      </div>
      <PasswordDialog
        open={open}
        danger
        title="Delete your account?"
        lead="You are signed out everywhere, and nothing of you is kept but your part in what others see: messages that you have sent stay in their conversations."
        submitLabel="Delete Account"
        typed={{
          field: 'email',
          name: email,
          isSame: (typed) => typed.trim().toLowerCase() === email.toLowerCase(),
          wrong: 'Type the address as it is shown.',
          input: { type: 'email', maxLength: 254 },
        }}
        run={(typed, intent) => call(authApi.deleteAccount, { body: { email: typed }, ...intent })}
        onDone={() => endSessionLocally()}
        failure="Your account could not be deleted. Try again."
        onClose={() => setOpen(false)}
      />
    </section>
  )
}

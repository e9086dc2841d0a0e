import MailOutlined from '@ant-design/icons/MailOutlined'
import { zodResolver } from '@hookform/resolvers/zod'
import { emailSchema } from '@parley/contracts/account/auth'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { paths } from '../../app/paths.ts'
import { sendPasswordReset } from '../../lib/auth/sign-in.ts'
import { Link, useNavigate } from '../../lib/navigation.ts'
import { ActionButton } from '../../ui/action.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { EmailField } from './email-field.tsx'
import { explain } from './explain.ts'
import { Problem } from './problem.tsx'
import { SubmitButton } from './submit-button.tsx'

const resetSchema = z.object({ email: emailSchema })
const failure = 'Failed to send reset email'

/** Page that asks for a reset link. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const form = useForm({ resolver: zodResolver(resetSchema), defaultValues: { email: '' } })
  const { isSubmitting } = form.formState

  const sendLink = form.handleSubmit(async ({ email }) => {
    setProblem(undefined)
    try {
      await sendPasswordReset(email)
      setSentTo(email)
    } catch (error) {
      setProblem(explain(error, failure))
      toast.error(failure)
    }
  })

  if (sentTo !== undefined) return <LinkSent email={sentTo} onTryAgain={() => setSentTo(undefined)} />
  return (
    <AuthCard
      title="Forgot your password?"
      lead="Enter your email address and we will send you a link to choose a new one."
      footer={<Link to={paths.login}>Back to login</Link>}
    >
      <form className={styles['form']} onSubmit={sendLink} noValidate>
        <EmailField control={form.control} name="email" />
        <Problem text={problem} />
        <SubmitButton label="Send Reset Link" pending={isSubmitting} />
      </form>
    </AuthCard>
  )
}

function LinkSent({ email, onTryAgain }: { email: string; onTryAgain: () => void }) {
  const navigate = useNavigate()
  return (
    <AuthCard
      title="Check your email"
      focusTitle
      lead={
        <>
          If <strong>{email}</strong> has an account, a link to choose a new password is on its way.
        </>
      }
    >
      <ul className={styles['tips']}>
        <li>
          <MailOutlined aria-hidden />
          <span>The link works for 15 minutes. Look in your spam folder too.</span>
        </li>
      </ul>
      <div className={styles['actions']}>
        <ActionButton primary large block onClick={() => void navigate(paths.login)}>
          Back to login
        </ActionButton>
        <span>
          No email?{' '}
          <button type="button" className={styles['again']} onClick={onTryAgain}>
            Try again
          </button>
        </span>
      </div>
    </AuthCard>
  )
}
